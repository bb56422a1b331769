import sharp from 'sharp'
import { describe, expect, test } from 'vitest'

import { makePhoto } from '../../tests/support/images.ts'
import { readPosition } from './photo-position.ts'

const QUAY = { latitude: 55.203889, longitude: -6.652778 }

describe('the position of a photo', () => {
  test.for(['jpeg', 'webp', 'avif'] as const)('is read from a %s', async (type) => {
    const photo = await makePhoto('phone', { type, withPosition: true, orientation: 6 })
    expect(await readPosition(photo)).toEqual(QUAY)
  })

  test.for(['jpeg', 'webp', 'avif', 'png', 'gif'] as const)(
    'is undefined for a %s without one',
    async (type) => {
      expect(await readPosition(await makePhoto('plain', { type, orientation: 6 }))).toBeUndefined()
    },
  )

  test('is read in all four quadrants and both byte orders', async () => {
    for (const little of [true, false]) {
      for (const [north, east] of ['NE', 'NW', 'SE', 'SW'].map((pair) => pair.split(''))) {
        const photo = jpegWith(
          exif({ little, latitude: [north, 33, 51, 36], longitude: [east, 151, 12, 36] }),
        )
        expect(await readPosition(photo)).toEqual({
          latitude: north === 'S' ? -33.86 : 33.86,
          longitude: east === 'W' ? -151.21 : 151.21,
        })
      }
    }
  })

  test('is found behind other segments', async () => {
    const other = segment(0xe0, Buffer.from('JFIF\0'))
    const large = segment(0xe2, Buffer.alloc(60_000))
    const content = exif({ little: false, latitude: ['N', 1, 30, 0], longitude: ['E', 2, 0, 0] })
    expect(await readPosition(jpegWith(content, other, large))).toEqual({
      latitude: 1.5,
      longitude: 2,
    })
  })

  test('is undefined if the camera did not know it or wrote an invalid one', async () => {
    for (const [latitude, longitude] of [
      [
        ['N', 0, 0, 0],
        ['E', 0, 0, 0],
      ],
      [
        ['N', 91, 0, 0],
        ['E', 0, 0, 0],
      ],
      [
        ['N', 1, 0, 0],
        ['E', 181, 0, 0],
      ],
    ] as const) {
      expect(
        await readPosition(jpegWith(exif({ little: true, latitude, longitude }))),
      ).toBeUndefined()
    }
    const unknown = exif({ little: true, latitude: ['N', 1, 0, 0], longitude: ['E', 2, 0, 0] })
    // 0/0 degrees.
    unknown.fill(0, unknown.length - 48)
    expect(await readPosition(jpegWith(unknown))).toBeUndefined()
  })

  test('is correct or undefined for a file that is truncated anywhere, and never an error', async () => {
    for (const type of ['jpeg', 'webp', 'avif'] as const) {
      const whole = await makePhoto('torn', { type, withPosition: true, width: 16, height: 16 })
      const found = new Set<string>()
      for (let length = 0; length < whole.size; length += 1)
        found.add(JSON.stringify((await readPosition(whole.slice(0, length))) ?? null))
      found.delete(JSON.stringify(QUAY))
      expect([...found]).toEqual(['null'])
    }
    const noise = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#000' } })
      .raw()
      .toBuffer()
    expect(await readPosition(new Blob([new Uint8Array(noise)]))).toBeUndefined()
  })
})

type Angle = readonly [string | undefined, number, number, number]

/** The EXIF of a camera that writes only its position. */
const exif = ({
  little,
  latitude,
  longitude,
}: {
  readonly little: boolean
  readonly latitude: Angle
  readonly longitude: Angle
}): Buffer => {
  const short = (value: number) => number(value, 2, little)
  const long = (value: number) => number(value, 4, little)
  const entry = (tag: number, type: number, count: number, value: Buffer) =>
    Buffer.concat([short(tag), short(type), long(count), value])
  const letter = (side = '') => Buffer.from(`${side}\0\0\0`)
  const angle = ([, ...parts]: Angle) =>
    Buffer.concat(parts.flatMap((part) => [long(part), long(1)]))
  const gpsAt = 8 + 2 + 12 + 4
  const valuesAt = gpsAt + 2 + 4 * 12 + 4
  return Buffer.concat([
    Buffer.from(little ? 'II' : 'MM'),
    short(42),
    long(8),
    short(1),
    entry(0x88_25, 4, 1, long(gpsAt)),
    long(0),
    short(4),
    entry(1, 2, 2, letter(latitude[0])),
    entry(2, 5, 3, long(valuesAt)),
    entry(3, 2, 2, letter(longitude[0])),
    entry(4, 5, 3, long(valuesAt + 24)),
    long(0),
    angle(latitude),
    angle(longitude),
  ])
}

const number = (value: number, bytes: 2 | 4, little: boolean): Buffer => {
  const buffer = Buffer.alloc(bytes)
  if (little) buffer.writeUIntLE(value, 0, bytes)
  else buffer.writeUIntBE(value, 0, bytes)
  return buffer
}

const segment = (marker: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker]), number(content.length + 2, 2, false), content])

/** A JPEG without its picture. */
const jpegWith = (tiff: Buffer, ...before: readonly Buffer[]): Blob => {
  const parts = [
    Buffer.from([0xff, 0xd8]),
    ...before,
    segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff])),
    Buffer.from([0xff, 0xda, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0]),
  ]
  return new Blob([new Uint8Array(Buffer.concat(parts))])
}
