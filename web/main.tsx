import { createRoot } from 'react-dom/client'

import { startAnalytics } from './analytics.ts'
import { App } from './app/app.tsx'
import { AHEAD, findRoute } from './app/routes.ts'
import { browserEnvironment } from './data/browser.ts'
import { createStore } from './data/store.ts'
import { readSettings } from './data/settings.ts'
import { loadMessages, pickLocale } from './messages/messages.ts'
import './ui/tokens.css'
import './ui/base.css'
import './ui/controls.css'

const settings = readSettings(document)
const locale = pickLocale()
// Requests ask for the language of the page.
document.documentElement.lang = locale

const analytics = startAnalytics(settings)
const store = createStore(browserEnvironment(settings['base-path']))
void store.start()

const path = location.pathname.slice(settings['base-path'].length) || '/'
const [messages] = await Promise.all([loadMessages(locale), findRoute(path).screen.load()])

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root')
createRoot(root, {
  onCaughtError: (error) => {
    console.error(error)
    analytics.report(error)
  },
}).render(
  <App
    settings={settings}
    store={store}
    locale={locale}
    messages={messages}
    onView={analytics.view}
  />,
)

const whenIdle = globalThis.requestIdleCallback ?? ((task: () => void) => setTimeout(task, 1000))
whenIdle(() => {
  // Only for people who will need them: a first visit stays small.
  if (store.isSignedIn()) for (const screen of AHEAD) screen.load().catch(() => undefined)
})
