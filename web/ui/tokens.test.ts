import { readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')

const TEXT = 4.5
const SHAPE = 3

/** Foreground, background and minimum contrast of every pair of tokens in use. */
const PAIRS: readonly (readonly [string, string, number])[] = [
  ...['bg', 'surface', 'surface-2'].flatMap((ground) => [
    ['text', ground, TEXT] as const,
    ['muted', ground, TEXT] as const,
    ['accent', ground, TEXT] as const,
  ]),
  ['control', 'surface', SHAPE],
  ['control', 'bg', SHAPE],
  ['danger', 'surface', TEXT],
  ['danger', 'surface-2', TEXT],
  ['danger', 'bg', TEXT],
  ['warn', 'surface', TEXT],
  ['on-primary', 'primary', TEXT],
  ['on-primary', 'secondary', TEXT],
  ['on-primary', 'primary-pressed', TEXT],
  ...['danger', 'ok', 'warn', 'info'].flatMap((tone) => [
    [tone, `${tone}-tint`, TEXT] as const,
    ['text', `${tone}-tint`, TEXT] as const,
  ]),
  ['on-bar', 'bar', TEXT],
  ['bar-focus', 'bar', SHAPE],
  ['tile', 'bar', SHAPE],
  ['on-tile', 'tile', TEXT],
  ['on-toast', 'toast', TEXT],
  ['toast-action', 'toast', TEXT],
]

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  test.each(PAIRS)('%s on %s reaches %d:1', (foreground, background, least) => {
    expect(contrast(colour(foreground, scheme), colour(background, scheme))).toBeGreaterThanOrEqual(
      least,
    )
  })
})

test('the theme colours match the specification', () => {
  expect(colour('primary', 'light')).toBe('#2eaeff')
  expect(colour('secondary', 'light')).toBe('#5cbbf6')
})

const colour = (token: string, scheme: 'light' | 'dark'): string => {
  const value = new RegExp(`--${token}: ([^;]+);`).exec(css)?.[1]
  const both = /light-dark\((#\w+), (#\w+)\)/.exec(value ?? '')
  const found = both === null ? value : both[scheme === 'light' ? 1 : 2]
  if (found === undefined) throw new Error(`no colour: ${token}`)
  return found
}

const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(hex.slice(start, start + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one: string, other: string): number => {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}
