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
  test('each is known by its keys', () => {
    for (const { id, presses } of SHORTCUTS)
      for (const keys of presses) {
        const pressed = keys.map((key) =>
          press(key.replace('Mod+', ''), { ctrlKey: key.startsWith('Mod+') }),
        )
        expect(read(pressed).at(-1)).toBe(id)
      }
  })

  test('a sequence is pressed in time, and in order', () => {
    expect(read([press('g'), press('d', { at: 1500 })])).toEqual([undefined, 'dashboard'])
    expect(read([press('g'), press('d', { at: 1501 })])).toEqual([undefined, undefined])
    expect(read([press('d'), press('g')])).toEqual([undefined, undefined])
    // What breaks a sequence off begins anew.
    expect(read([press('g'), press('n')])).toEqual([undefined, 'newSite'])
    expect(read([press('g'), press('g'), press('d')])).toEqual([undefined, undefined, 'dashboard'])
  })

  test('the command key does as control does, and capitals do as small letters', () => {
    expect(read([press('S', { metaKey: true })])).toEqual(['save'])
    expect(read([press('Enter', { metaKey: true })])).toEqual(['save'])
  })

  test('with another key, or in writing, letters are letters', () => {
    for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { writing: true }])
      expect(read([press('n', more), press('?', more), press('/', more)])).toEqual([
        undefined,
        undefined,
        undefined,
      ])
    expect(read([press('s', { ctrlKey: true, writing: true })])).toEqual(['save'])
    expect(read([press('s', { ctrlKey: true, altKey: true })])).toEqual([undefined])
  })

  test('switched off, letters are letters everywhere; keys with a modifier stay', () => {
    const keys = ['?', '/', 'n', 'g', 'd'].map((key) => press(key))
    expect(read(keys, false)).toEqual(keys.map(() => undefined))
    expect(read([press('s', { ctrlKey: true }), press('F6')], false)).toEqual(['save', 'messages'])
  })
})
