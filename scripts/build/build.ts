import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { isDiskFull, StartupError } from '../../server/problem.ts'
import { root } from '../process.ts'

const compress = promisify(brotliCompress)

const output = join(root, 'web/dist')
/** The inputs of the build; their hash is stored next to the result. */
const SOURCES = [
  'web/**/*',
  'domain/**/*.ts',
  'scripts/build/build.ts',
  'package-lock.json',
  'tsconfig.base.json',
]
const STAMP = '.built-from'
const COMPRESSIBLE = /\.(js|css|html|svg|json|webmanifest|txt|map)$/
const MIN_BYTES = 500

/**
 * Builds the web app into `web/dist`, with a brotli copy of every text file, unless the existing build has the same
 * inputs.
 * @returns whether it had to build
 * @throws {StartupError} with the output of the build
 */
export const buildIfStale = async (): Promise<boolean> => {
  const wanted = await hashSources()
  if (await isBuiltFrom(wanted)) return false

  // Builds into another folder first: a running server keeps the old build, and a partial build is never served.
  const fresh = `${output}.new-${process.pid}`
  const old = `${output}.old-${process.pid}`
  try {
    const { build } = await import('vite')
    await build({
      configFile: join(root, 'web/vite.config.ts'),
      // Loaded natively: bundling it would include the screens that the routes import.
      configLoader: 'native',
      root: join(root, 'web'),
      mode: 'production',
      logLevel: 'silent',
      build: { outDir: fresh, emptyOutDir: true },
    })
    await compressFiles(fresh)
    await writeFile(join(fresh, STAMP), wanted)
    if (existsSync(output)) await rename(output, old)
    await rename(fresh, output)
  } catch (error) {
    if (isDiskFull(error) || !(error instanceof Error)) throw error
    throw new StartupError(`The web app could not be built: ${error.message}`, { cause: error })
  } finally {
    await rm(fresh, { recursive: true, force: true })
    await rm(old, { recursive: true, force: true })
  }
  return true
}

/**
 * Like `buildIfStale`, but in a child process, so that the server does not keep the memory of a build.
 * @param onStarted gets the child process, in order to end it together with this process
 * @throws {StartupError} with the output of the build
 */
export const buildApartIfStale = async (
  onStarted: (builder: ChildProcess) => void,
): Promise<boolean> => {
  if (await isBuiltFrom(await hashSources())) return false
  const builder = fork(join(root, 'scripts/build-web.ts'), {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  onStarted(builder)
  const [said, [code]] = await Promise.all([
    builder.stderr === null ? '' : text(builder.stderr),
    once(builder, 'exit') as Promise<[number | null]>,
  ])
  if (code !== 0) throw new StartupError(said.trim() || 'The build of the web app was ended.')
  return true
}

const isBuiltFrom = async (sources: string): Promise<boolean> => {
  const stampFile = join(output, STAMP)
  return existsSync(stampFile) && (await readFile(stampFile, 'utf8')) === sources
}

const hashSources = async (): Promise<string> => {
  const files: string[] = []
  const exclude = (path: string): boolean =>
    /(^|\/)(dist(\.\w+-\d+)?|node_modules)$|\.test\.tsx?$/.test(path)
  for await (const file of glob(SOURCES, { cwd: root, exclude })) files.push(file)
  const hash = createHash('sha256')
  for (const file of files.toSorted()) {
    const path = join(root, file)
    if ((await stat(path)).isFile()) hash.update(`${file}\0`).update(await readFile(path))
  }
  return hash.digest('hex')
}

const compressFiles = async (folder: string): Promise<void> => {
  for await (const file of glob('**/*', { cwd: folder })) {
    if (!COMPRESSIBLE.test(file)) continue
    const bytes = await readFile(join(folder, file))
    if (bytes.length < MIN_BYTES) continue
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      // Compresses a file of the app as one block rather than several.
      [constants.BROTLI_PARAM_LGBLOCK]: constants.BROTLI_MAX_INPUT_BLOCK_BITS,
    }
    await writeFile(join(folder, `${file}.br`), await compress(bytes, { params }))
  }
}
