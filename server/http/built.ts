import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { codeOf } from '../problem.ts'

/**
 * Reads a file that the build of the web app has written for the server.
 * @returns undefined without a build, as in development
 */
export const readBuilt = async <Built>(
  webDir: string,
  file: string,
): Promise<Built | undefined> => {
  const text = await readFile(join(webDir, file), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : (JSON.parse(text) as Built)
}
