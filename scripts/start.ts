import { chooseFreePort, serve } from '../server/main.ts'
import { buildIfStale } from './build.ts'
import { closeOnSignals, exitWith, loadConfig } from './process.ts'
import { withProvider } from './provider.ts'

try {
  const closers: (() => Promise<void>)[] = []
  closeOnSignals(async () => {
    for (const close of closers.toReversed()) await close()
  })
  const { config, provider } = await withProvider(await chooseFreePort(loadConfig()))
  if (provider) closers.push(() => provider.close())
  if (await buildIfStale()) console.log('Built the web app.')
  const server = await serve(config, { onLost: exitWith })
  closers.push(() => server.close())
  if (provider) {
    console.log(`Sign-in is by a stand-in at ${provider.issuer}; any name and email will do.`)
  }
  console.log(`${config.productName} is ready at ${server.url}`)
} catch (error) {
  exitWith(error)
}
