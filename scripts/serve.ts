import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { serve } from '../server/main.ts'
import { StartupError } from '../server/problem.ts'
import { openTracing } from '../server/tracing/tracing.ts'
import { closeOnSignals, exitWith, loadConfig, root, say } from './process.ts'

// The server alone, as images and services run it; `npm start` also installs, builds, and provides a stand-in provider.
// It writes nothing outside DATA_DIR.

try {
  const config = loadConfig()
  if (!existsSync(join(root, 'web/dist/index.html')))
    throw new StartupError('The web app is not built: run "npm run build" first.')
  if (config.oidc === undefined)
    throw new StartupError(
      'There is no sign-in provider: set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET (see .env.example).',
    )
  if (config.port === 0) throw new StartupError('PORT must not be 0: a proxy needs a fixed port.')
  let close = async (): Promise<void> => {}
  closeOnSignals(() => close())
  const server = await serve(config, {
    onLost: exitWith,
    tracing: await openTracing(process.env, config.appVersion, (text) => say(config, text)),
  })
  close = () => server.close()
  say(config, `${config.productName} is ready at ${server.url}`)
} catch (error) {
  exitWith(error)
}
