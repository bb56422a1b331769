import { reservePort, serve } from '../server/main.ts'
import { buildApartIfStale } from './build/build.ts'
import { openTracing } from '../server/tracing/tracing.ts'
import { closeOnSignals, exitWith, loadConfig, say } from './process.ts'
import { withProvider } from './provider/provider.ts'

try {
  const closers: (() => Promise<void>)[] = []
  closeOnSignals(async () => {
    for (const close of closers.toReversed()) await close()
  })
  const { config: settings, releasePort } = await reservePort(loadConfig())
  const { config, provider } = await withProvider(settings)
  if (provider) closers.push(() => provider.close())
  const built = await buildApartIfStale((builder) => closers.push(async () => void builder.kill()))
  if (built) say(config, 'Built the web app.')
  const server = await serve(config, {
    releasePort,
    onLost: exitWith,
    tracing: await openTracing(process.env, config.appVersion, (text) => say(config, text)),
  })
  closers.push(() => server.close())
  if (provider) {
    say(
      config,
      `A stand-in provider for sign-in runs at ${provider.issuer}; use any name and email.`,
    )
  }
  say(config, `${config.productName} is ready at ${server.url}`)
} catch (error) {
  exitWith(error)
}
