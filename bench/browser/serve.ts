import { exitWith, closeOnSignals, loadConfig } from '../../scripts/process.ts'
import { serve } from '../../server/main.ts'

// Our server with a different build of the app: `node serve.ts FOLDER`.

try {
  const [, , webDir] = process.argv
  if (webDir === undefined) throw new Error('The folder with the app is missing.')
  const server = await serve(loadConfig(), { webDir, onLost: exitWith })
  closeOnSignals(() => server.close())
} catch (error) {
  exitWith(error)
}
