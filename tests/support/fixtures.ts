import { afterAll } from 'vitest'

import { startStack, type Stack, type StackOptions } from './stack.ts'

/** Starts the product for the tests of a file, and stops it after the last of them. */
export const withStack = async (options: StackOptions = {}): Promise<Stack> => {
  const stack = await startStack(options)
  afterAll(() => stack.close())
  return stack
}
