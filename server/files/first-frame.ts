/** A range of an uploaded file that the decoder receives, in bytes; `to` is exclusive. */
type Range = readonly [from: number, to: number]

/**
 * Reduces a PNG, GIF or WebP to its first frame and the chunks that are needed to display it. Removes compressed
 * texts, which can inflate without bound, further frames, of which there can be a million, positions and times.
 * The bytes are moved in place, so that a large file is not copied in memory.
 * @returns undefined if the bytes are truncated or contain no picture
 */
export const stripToFirstFrame = (type: StillType, bytes: Buffer): Buffer | undefined => {
  const ranges = RANGES[type](bytes)
  if (ranges === undefined) return undefined
  let end = 0
  for (const [from, to] of ranges) {
    bytes.copyWithin(end, from, to)
    end += to - from
  }
  const kept = bytes.subarray(0, end)
  if (type === 'image/webp') kept.writeUInt32LE(end - RIFF_BYTES, 4)
  return kept
}

/** The types for which a part of the file is enough. */
export const isStillType = (type: string): type is StillType => Object.hasOwn(RANGES, type)
type StillType = 'image/png' | 'image/gif' | 'image/webp'

// PNG

const SIGNATURE_BYTES = 8
/** Length, type and checksum around the data of a chunk. */
const CHUNK_FRAME_BYTES = 12
/** The chunks that a decoder needs for a still image and its colours; each except `IDAT` occurs once. */
const PNG_KEPT = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP'])

const pngRanges = (bytes: Buffer): Range[] | undefined => {
  const ranges: Range[] = [[0, SIGNATURE_BYTES]]
  const seen = new Set<string>()
  for (let at = SIGNATURE_BYTES; at + CHUNK_FRAME_BYTES <= bytes.length;) {
    const end = at + CHUNK_FRAME_BYTES + bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (end > bytes.length) return undefined
    if (PNG_KEPT.has(type) && (type === 'IDAT' || !seen.has(type))) ranges.push([at, end])
    if (type === 'IEND') return ranges
    seen.add(type)
    at = end
  }
  return undefined
}

// WebP

const RIFF_BYTES = 8
const FORM_BYTES = 12
const CHUNK_HEAD_BYTES = 8
/** Each of them once; `EXIF` contains the orientation. */
const WEBP_KEPT = new Set(['VP8X', 'ICCP', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L', 'EXIF'])
const WEBP_PICTURES = ['ANMF', 'VP8 ', 'VP8L']

const webpRanges = (bytes: Buffer): Range[] | undefined => {
  const ranges: Range[] = [[0, FORM_BYTES]]
  const seen = new Set<string>()
  const fileEnd = RIFF_BYTES + bytes.readUInt32LE(4)
  if (fileEnd > bytes.length) return undefined
  for (let at = FORM_BYTES; at + CHUNK_HEAD_BYTES <= fileEnd;) {
    const length = bytes.readUInt32LE(at + 4)
    const end = at + CHUNK_HEAD_BYTES + length + (length % 2)
    const type = bytes.toString('latin1', at, at + 4)
    if (end > fileEnd) return undefined
    if (WEBP_KEPT.has(type) && !seen.has(type)) ranges.push([at, end])
    seen.add(type)
    at = end
  }
  return WEBP_PICTURES.some((type) => seen.has(type)) ? ranges : undefined
}

// GIF

const SCREEN_BYTES = 13
const EXTENSION = 0x21
const GRAPHIC_CONTROL = 0xf9
const IMAGE = 0x2c
const IMAGE_HEAD_BYTES = 10
const END = 0x3b

/** The size of the colour table that a byte of flags declares. */
const coloursBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

const gifRanges = (bytes: Buffer): Range[] | undefined => {
  const byte = (at: number): number => bytes[at] ?? 0
  const blocksEnd = (from: number): number => {
    let at = from
    while (at < bytes.length && byte(at) !== 0) at += 1 + byte(at)
    return at + 1
  }
  const first = SCREEN_BYTES + coloursBytes(byte(10))
  /** The transparency of the next image. */
  let control: Range | undefined
  for (let at = first; at < bytes.length;) {
    if (byte(at) === EXTENSION) {
      const end = blocksEnd(at + 2)
      if (byte(at + 1) === GRAPHIC_CONTROL) control = [at, end]
      at = end
    } else if (byte(at) === IMAGE) {
      const colours = coloursBytes(byte(at + IMAGE_HEAD_BYTES - 1))
      const end = blocksEnd(at + IMAGE_HEAD_BYTES + colours + 1)
      if (end >= bytes.length) return undefined
      // The end of the file overwrites whatever follows the picture.
      bytes[end] = END
      return [[0, first], ...(control === undefined ? [] : [control]), [at, end + 1]]
    } else return undefined
  }
  return undefined
}

const RANGES: Readonly<Record<StillType, (bytes: Buffer) => Range[] | undefined>> = {
  'image/png': pngRanges,
  'image/gif': gifRanges,
  'image/webp': webpRanges,
}
