import { randomBytes } from 'node:crypto'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

/** The added size, compressed. */
const ADDED_BYTES = 100_000

/**
 * Copies a build and adds 100 kB (compressed) of functions that are never called to the script of
 * every page.
 * @returns the folder of the copy
 */
export const fatten = async (built: string, copy: string): Promise<string> => {
  await cp(built, copy, { recursive: true })
  const assets = join(copy, 'assets')
  const base = (await readdir(assets)).find((name) => /^base-.*\.js$/.test(name))
  if (base === undefined) throw new Error('The build has no script that every page needs.')
  const path = join(assets, base)
  const fat = `${await readFile(path, 'utf8')}\n${unusedScript(ADDED_BYTES)}`
  await writeFile(path, fat)
  await writeFile(`${path}.br`, brotliCompressSync(fat))
  return copy
}

/** A script without effect, with so much random text that it does not compress. */
export const unusedScript = (bytes: number): string => {
  const each = 75
  // Base64 has six bits per character, and brotli cannot store random characters in less.
  const lines = Array.from(
    { length: Math.ceil(bytes / each) },
    (_, index) => `const unused${index} = () => '${randomBytes(each).toString('base64')}'`,
  )
  return lines.join('\n')
}
