import { describe, expect, test } from 'vitest'

import { createShortcutReader, SHORTCUTS, type Press } from './shortcuts.ts'

const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  at: 0,
  writing: false,
  ...more,
})

const read = (presses: readonly Press[], isOn = true) =>
  presses.map(createShortcutReader(() => isOn))

describe('shortcuts', () => {
  test('each is recognized by its keys', () => {
    for (const { id, presses } of SHORTCUTS)
      for (const keys of presses) {
        const pressed = keys.map((key) =>
          press(key.replace('Mod+', ''), { ctrlKey: key.startsWith('Mod+') }),
        )
        expect(read(pressed).at(-1)).toBe(id)
      }
  })

  test('a sequence requires its order and a maximum interval', () => {
    expect(read([press('g'), press('d', { at: 1500 })])).toEqual([undefined, 'dashboard'])
    expect(read([press('g'), press('d', { at: 1501 })])).toEqual([undefined, undefined])
    expect(read([press('d'), press('g')])).toEqual([undefined, undefined])
    // An unexpected key starts a new sequence.
    expect(read([press('g'), press('n')])).toEqual([undefined, 'newSite'])
    expect(read([press('g'), press('g'), press('d')])).toEqual([undefined, undefined, 'dashboard'])
  })

  test('Command equals Control, and letters ignore case', () => {
    expect(read([press('S', { metaKey: true })])).toEqual(['save'])
    expect(read([press('Enter', { metaKey: true })])).toEqual(['save'])
  })

  test('modified keys and keys typed in a field are not shortcuts', () => {
    for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { writing: true }])
      expect(read([press('n', more), press('?', more), press('/', more)])).toEqual([
        undefined,
        undefined,
        undefined,
      ])
    expect(read([press('s', { ctrlKey: true, writing: true })])).toEqual(['save'])
    expect(read([press('s', { ctrlKey: true, altKey: true })])).toEqual([undefined])
  })

  test('when off, only keys with a modifier work', () => {
    const keys = ['?', '/', 'n', 'g', 'd'].map((key) => press(key))
    expect(read(keys, false)).toEqual(keys.map(() => undefined))
    expect(read([press('s', { ctrlKey: true }), press('F6')], false)).toEqual(['save', 'messages'])
  })
})
