import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib'

// The building blocks of image files, for files that no encoder would write.

const uint16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const uint16LE = (value: number): Buffer => uint16(value).swap16()
const uint32LE = (value: number): Buffer => uint32(value).swap32()
const uint24LE = (value: number): Buffer => uint32LE(value).subarray(0, 3)

type Bytes = Buffer | string | readonly number[]

/** Concatenates parts: text as its characters, numbers as bytes. */
export const join = (...parts: readonly Bytes[]): Buffer =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
    ),
  )

/** Compressed data of `length` zero bytes, a thousandth as long, without allocating the zeros. */
export const deflatedZeros = (length: number): Buffer => {
  const step = 2 ** 20
  const zeros = (count: number): Buffer =>
    deflateRawSync(Buffer.alloc(count), { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const whole = zeros(step)
  const steps = Array.from({ length: Math.floor(length / step) }, () => whole)
  return join([0x78, 0x9c], ...steps, zeros(length % step), [3, 0], uint16(length % 65_521), [0, 1])
}

// PNG

export const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

export const pngChunk = (type: string, data: Bytes): Buffer => {
  const body = join(type, data)
  return join(uint32(body.length - 4), body, uint32(crc32(body)))
}

export interface PngHeader {
  readonly width: number
  readonly height: number
  readonly depth?: number
  /** 0: grey, 2: colours, 3: a palette, 6: colours and transparency. */
  readonly colours?: number
  readonly interlaced?: boolean
}

export const pngHeader = ({ width, height, depth = 8, colours = 2, interlaced }: PngHeader) =>
  pngChunk('IHDR', join(uint32(width), uint32(height), [depth, colours, 0, 0, interlaced ? 1 : 0]))

const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 6: 4 }
/** The start and the step of each of the seven passes of an interlaced PNG. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** A valid blank PNG of any size. */
export const blankPng = (header: PngHeader, ...extra: readonly Buffer[]): Buffer => {
  const { width, height, depth = 8, colours = 2, interlaced } = header
  const size = (w: number, h: number): number =>
    w === 0 ? 0 : h * (1 + Math.ceil((w * (SAMPLES[colours] ?? 1) * depth) / 8))
  const bytes = interlaced
    ? PASSES.reduce(
        (sum, [x, y, dx, dy]) =>
          sum + size(Math.ceil((width - x) / dx), Math.max(0, Math.ceil((height - y) / dy))),
        0,
      )
    : size(width, height)
  return join(
    PNG_SIGNATURE,
    pngHeader(header),
    ...extra,
    pngChunk('IDAT', deflatedZeros(bytes)),
    pngChunk('IEND', ''),
  )
}

/** A PNG of raw rows. */
export const rawPng = (header: PngHeader, rows: readonly Buffer[]): Buffer =>
  join(
    PNG_SIGNATURE,
    pngHeader(header),
    pngChunk('IDAT', deflateSync(join(...rows.map((row) => join([0], row))))),
    pngChunk('IEND', ''),
  )

/** Inserts chunks after the header of a PNG. */
export const intoPng = (png: Buffer, ...chunks: readonly Buffer[]): Buffer =>
  join(png.subarray(0, 33), ...chunks, png.subarray(33))

// JPEG

export const jpegSegment = (marker: number, data: Bytes): Buffer => {
  const body = join(data)
  return join([0xff, marker], uint16(body.length + 2), body)
}

/** Inserts segments at the start of a JPEG. */
export const intoJpeg = (jpeg: Buffer, ...segments: readonly Buffer[]): Buffer =>
  join(jpeg.subarray(0, 2), ...segments, jpeg.subarray(2))

export interface JpegHeader {
  readonly width: number
  readonly height: number
  readonly components?: number
  readonly progressive?: boolean
  /** Each component in its own scan, as in a progressive file. */
  readonly apart?: boolean
  /** The number of empty scans after the first. */
  readonly repeats?: number
}

/** A valid JPEG of a single shade of grey and any size, with a few bits per block. */
export const blankJpeg = (header: JpegHeader): Buffer => {
  const { width, height, components = 3, progressive = false, apart = false } = header
  const ids = Array.from({ length: components }, (_, index) => index + 1)
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  const scan = (of: readonly number[], from: number, to: number, bits: number): Buffer =>
    join(
      jpegSegment(0xda, join([of.length], ...of.map((id) => [id, 0]), [from, to, 0])),
      Buffer.alloc(Math.ceil((blocks * of.length * bits) / 8)),
    )
  const last = progressive ? 0 : 63
  const bits = progressive ? 1 : 2
  const scans = apart ? ids.map((id) => scan([id], 0, last, bits)) : [scan(ids, 0, last, bits)]
  const again = scan([1], 1, 63, 1)
  return join(
    [0xff, 0xd8],
    jpegSegment(0xdb, join([0], Buffer.alloc(64, 16))),
    jpegSegment(
      progressive ? 0xc2 : 0xc0,
      join([8], uint16(height), uint16(width), [components], ...ids.map((id) => [id, 0x11, 0])),
    ),
    // A single code of one bit each: no difference, and the end of the block.
    ...[0x00, 0x10].map((id) => jpegSegment(0xc4, join([id, 1], Buffer.alloc(16)))),
    ...scans,
    ...Array.from({ length: header.repeats ?? 0 }, () => again),
    [0xff, 0xd9],
  )
}

// GIF

/** Data sub-blocks of a GIF, of any length. */
export const gifBlocks = (data: Bytes): Buffer => {
  const bytes = join(data)
  const blocks = Array.from({ length: Math.ceil(bytes.length / 255) }, (_, index) => {
    const part = bytes.subarray(index * 255, (index + 1) * 255)
    return join([part.length], part)
  })
  return join(...blocks, [0])
}

export const gifExtension = (label: number, data: Bytes): Buffer =>
  join([0x21, label], gifBlocks(data))

export const gifHeader = (width: number, height: number): Buffer =>
  join('GIF89a', uint16LE(width), uint16LE(height), [0x80, 0, 0, 0, 0, 0, 255, 255, 255])

/** A frame of one colour; in a large one, the codes end long before the pixels. */
export const gifFrame = (width = 1, height = 1, left = 0, top = 0): Buffer =>
  join([0x2c], ...[left, top, width, height].map(uint16LE), [0, 2, 2, 0x44, 1, 0])

export const GIF_END = Buffer.from([0x3b])

// WebP

export const webpChunk = (type: string, data: Bytes): Buffer => {
  const body = join(data)
  return join(type, uint32LE(body.length), body, body.length % 2 === 1 ? [0] : [])
}

export const webpOf = (...chunks: readonly Buffer[]): Buffer => {
  const body = join('WEBP', ...chunks)
  return join('RIFF', uint32LE(body.length), body)
}

/** The chunks of a WebP. */
export const webpChunks = (webp: Buffer): Buffer => webp.subarray(12)

/** The size of a canvas and the flags of its chunks: 0x02 frames, 0x04 XMP, 0x08 EXIF, 0x10 alpha, 0x20 ICC. */
export const webpCanvas = (flags: number, width: number, height: number): Buffer =>
  webpChunk('VP8X', join([flags, 0, 0, 0], uint24LE(width - 1), uint24LE(height - 1)))

/** A valid picture of one colour and any size up to 16,384, in a dozen bytes. */
export const blankVp8l = (width: number, height: number): Buffer => {
  // No transform, no cache, no groups; then five codes of one symbol each, so a pixel takes no bits.
  const bits = [0, 0, 0, ...Array.from({ length: 5 }, () => [1, 0, 0, 0]).flat()]
  const size = BigInt(width - 1) | (BigInt(height - 1) << 14n) | (1n << 28n)
  const all = bits.reduce((sum, bit, index) => sum | (BigInt(bit) << BigInt(32 + index)), size)
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(all)
  return webpChunk('VP8L', join([0x2f], bytes, [0, 0, 0]))
}

export const webpFrame = (width: number, height: number, picture: Buffer): Buffer =>
  webpChunk('ANMF', join(...[0, 0, width - 1, height - 1, 100].map(uint24LE), [0], picture))

// AVIF

export const box = (type: string, ...content: readonly Bytes[]): Buffer => {
  const body = join(type, ...content)
  return join(uint32(body.length + 4), body)
}

/** A box with a version and flags. */
export const fullBox = (type: string, version: number, ...content: readonly Bytes[]): Buffer =>
  box(type, [version, 0, 0, 0], ...content)

/** A box of a type in a file. */
const findBox = (file: Buffer, type: string): Buffer => {
  const at = file.indexOf(type, 0, 'latin1') - 4
  if (at < 0) throw new TypeError(`no ${type}`)
  return file.subarray(at, at + file.readUInt32BE(at))
}

/** An AVIF whose boxes declare another size than the one of its picture. */
export const withAvifSize = (avif: Buffer, width: number, height: number): Buffer => {
  const copy = Buffer.from(avif)
  const at = copy.indexOf('ispe', 0, 'latin1') + 8
  copy.writeUInt32BE(width, at)
  copy.writeUInt32BE(height, at + 4)
  return copy
}

/** The picture of an AVIF repeated as a grid of columns and rows. */
export const avifGrid = (
  avif: Buffer,
  tile: { width: number; height: number },
  columns: number,
  rows: number,
): Buffer => {
  const picture = findBox(avif, 'mdat').subarray(8)
  const ftyp = box('ftyp', 'avif', [0, 0, 0, 0], 'avifmif1miaf')
  const [width, height] = [tile.width * columns, tile.height * rows]
  const size = (w: number, h: number) => fullBox('ispe', 0, uint32(w), uint32(h))
  const item = (id: number, type: string) => fullBox('infe', 2, uint16(id), uint16(0), type, [0])
  const grid = join([0, 1, rows - 1, columns - 1], uint32(width), uint32(height))
  const tiles = Buffer.alloc(columns * rows * 2, uint16(2))
  const metaWith = (offset: number): Buffer =>
    fullBox(
      'meta',
      0,
      fullBox('hdlr', 0, uint32(0), 'pict', Buffer.alloc(13)),
      fullBox('pitm', 0, uint16(1)),
      fullBox(
        'iloc',
        1,
        [0x44, 0],
        uint16(2),
        // The grid is in the adjacent data box, the tile in the file.
        join(uint16(1), uint16(1), uint16(0), uint16(1), uint32(0), uint32(grid.length)),
        join(uint16(2), uint16(0), uint16(0), uint16(1), uint32(offset), uint32(picture.length)),
      ),
      fullBox('iinf', 0, uint16(2), item(1, 'grid'), item(2, 'av01')),
      fullBox('iref', 0, box('dimg', uint16(1), uint16(columns * rows), tiles)),
      box(
        'iprp',
        box(
          'ipco',
          size(width, height),
          size(tile.width, tile.height),
          findBox(avif, 'av1C'),
          findBox(avif, 'pixi'),
        ),
        fullBox('ipma', 0, uint32(2), uint16(1), [2, 1, 4], uint16(2), [3, 2, 0x83, 4]),
      ),
      box('idat', grid),
    )
  const offset = ftyp.length + metaWith(0).length + 8
  return join(ftyp, metaWith(offset), box('mdat', picture))
}
