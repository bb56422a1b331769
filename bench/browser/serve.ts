import { exitWith, closeOnSignals, loadConfig } from '../../scripts/process.ts'
import { serve } from '../../server/main.ts'

// Our server with another build of the app than its own: `node serve.ts FOLDER`.

try {
  const [, , webDir] = process.argv
  if (webDir === undefined) throw new Error('The folder with the app is missing.')
  const server = await serve(loadConfig(), { webDir, onLost: exitWith })
  closeOnSignals(() => server.close())
} catch (error) {
  exitWith(error)
}
