import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { Writable as Sink } from 'node:stream'

import { StartupError } from '../server/problem.ts'

/** The input and the output of a password prompt. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly output: Writable
}

/**
 * Reads a password: prompts for it twice, without echo, on a terminal; otherwise uses the first line of the input. It
 * is never an argument, because every process on the computer could read it.
 * @throws {StartupError} if the two differ, or the user cancels
 */
export const askPassword = async ({ input, output }: Terminal): Promise<string> => {
  const terminal = input.isTTY === true
  const lines = createInterface({
    input,
    // Echo is suppressed here.
    output: new Sink({ write: (_chunk, _encoding, done) => done() }),
    terminal,
  })
  const typed = lines[Symbol.asyncIterator]()
  const stopped = new Promise<never>((_resolve, reject) => {
    lines.once('SIGINT', () => reject(new StartupError('Stopped; nothing was changed.')))
  })
  stopped.catch(() => {})
  const ask = async (question: string): Promise<string> => {
    if (terminal) output.write(question)
    const line = await Promise.race([typed.next(), stopped])
    if (terminal) output.write('\n')
    if (line.done) throw new StartupError('No password was given; nothing was changed.')
    return line.value
  }
  try {
    const password = await ask('Password: ')
    if (terminal && (await ask('Repeat the password: ')) !== password)
      throw new StartupError('The passwords do not match; nothing was changed.')
    return password
  } finally {
    lines.close()
  }
}
