import { closeOnSignals, exitWith } from '../../scripts/process.ts'
import type { Limits } from '../../server/limits.ts'
import { readConfig } from '../../server/config.ts'
import { serve } from '../../server/main.ts'

// The program of `startSecondProcess`: a server with the settings in its environment and the web app in its argument.
// It ends with its parent process.

try {
  let close = async (): Promise<void> => {}
  closeOnSignals(() => close())
  const config = readConfig(process.env)
  const limits = JSON.parse(process.env['TEST_LIMITS'] ?? '{}') as Partial<Limits>
  const server = await serve(config, { webDir: process.argv[2] ?? '', limits })
  close = () => server.close()
  // Not the public URL, which may be the one of a load balancer.
  const url = `http://${config.host}:${config.port}${config.basePath}`
  // The end of the parent is only reported to existing listeners.
  if (!process.connected) throw new Error('Nobody waits for this server.')
  console.log(JSON.stringify({ url, pid: process.pid }))
} catch (error) {
  exitWith(error)
}
