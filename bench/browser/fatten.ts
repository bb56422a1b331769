import { randomBytes } from 'node:crypto'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

/** What is added, as it is sent. */
const ADDED_BYTES = 100_000

/**
 * Copies a build, and adds to the script that every page needs 100 kB, as sent, of which nobody uses
 * anything: functions that are never called.
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

/** A script that does nothing, and of which chance is so large a part that it stays this large when compressed. */
export const unusedScript = (bytes: number): string => {
  const each = 75
  // Base64 says in four characters what brotli cannot say in less than three bytes.
  const lines = Array.from(
    { length: Math.ceil(bytes / each) },
    (_, index) => `const unused${index} = () => '${randomBytes(each).toString('base64')}'`,
  )
  return lines.join('\n')
}
