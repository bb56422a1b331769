import { isAnswer } from '../ui/paths.ts'

// Starts the app once the page that the server sent has been painted: until then nothing competes
// with it, and to run the app holds up a slow telephone for a while. Stands in the page itself.

// Whoever comes back from the provider is led on, and has no use for the button that led there.
if (isAnswer(location.search)) document.documentElement.dataset['elsewhere'] = ''

/** A page that is not painted by then, such as one in the background, begins all the same. */
const UNPAINTED_MS = 500

const begin = (): void => {
  observer.disconnect()
  clearTimeout(limit)
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="later"]')) {
    link.rel = 'modulepreload'
    if (link.dataset['run'] === undefined) continue
    const script = Object.assign(document.createElement('script'), {
      type: 'module',
      crossOrigin: '',
      src: link.href,
    })
    document.head.append(script)
  }
}

const observer = new PerformanceObserver(begin)
const limit = setTimeout(begin, document.visibilityState === 'hidden' ? 0 : UNPAINTED_MS)
observer.observe({ type: 'paint', buffered: true })
