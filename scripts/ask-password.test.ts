import { PassThrough } from 'node:stream'

import { expect, test } from 'vitest'

import { askPassword } from './ask-password.ts'

/** A simulated terminal: its input and its output. */
const sitDown = () => {
  const modes: boolean[] = []
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (raw: boolean) => void modes.push(raw),
  })
  const output = new PassThrough()
  let seen = ''
  output.setEncoding('utf8').on('data', (text: string) => (seen += text))
  return { input, output, modes, seen: () => seen }
}

test('a terminal prompts for the password twice, without echo', async () => {
  const person = sitDown()
  const asked = askPassword(person)
  person.input.write('geheimes Wörx\u007ft\r')
  await expect.poll(person.seen).toContain('Repeat the password: ')
  person.input.write('geheimes Wört\r')
  expect(await asked).toBe('geheimes Wört')
  expect(person.seen()).toBe('Password: \nRepeat the password: \n')
  // The terminal did not echo meanwhile, and echoes again afterwards.
  expect(person.modes).toEqual([true, false])
})

test('two passwords that differ, and a cancelled prompt, are errors', async () => {
  const hasty = sitDown()
  const asked = askPassword(hasty)
  hasty.input.write('one password\r')
  await expect.poll(hasty.seen).toContain('Repeat the password: ')
  hasty.input.write('another password\r')
  await expect(asked).rejects.toThrow('The passwords do not match')

  const leaving = sitDown()
  const stopped = askPassword(leaving)
  leaving.input.write('half a pass\u0003')
  await expect(stopped).rejects.toThrow('Stopped')
  expect(leaving.modes.at(-1)).toBe(false)
})

test('without a terminal the first line of the input is the password, untrimmed', async () => {
  const input = new PassThrough()
  const output = new PassThrough()
  const asked = askPassword({ input, output })
  input.end('  with spaces \r\nand more\n')
  expect(await asked).toBe('  with spaces ')
  expect(output.read()).toBeNull()
})

test('an empty input is an error', async () => {
  const input = new PassThrough()
  const asked = askPassword({ input, output: new PassThrough() })
  input.end()
  await expect(asked).rejects.toThrow('No password was given')
})
