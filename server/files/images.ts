import { open, readFile, writeFile, type FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import sharp, { type Metadata, type ResizeOptions, type Sharp } from 'sharp'

import { IMAGE_LIMITS, IMAGE_TYPES } from '#domain/images.ts'
import { fieldError, type FieldError } from '#domain/error.ts'

import { createConcurrencyLimiter } from '../concurrency.ts'
import { isDiskFull } from '../problem.ts'
import { isStillType, stripToFirstFrame } from './first-frame.ts'

// Photos are decoded once; a cache of them would only hold memory.
sharp.cache(false)

type Incoming = (typeof IMAGE_TYPES)[number]
type Outgoing = 'image/jpeg' | 'image/png' | 'image/webp'

/** How each kind that comes in is written: GIF and AVIF become what every browser shows. */
const OUTPUTS: Readonly<Record<Incoming, Outgoing>> = {
  'image/jpeg': 'image/jpeg',
  'image/png': 'image/png',
  'image/webp': 'image/webp',
  'image/gif': 'image/png',
  'image/avif': 'image/webp',
}

/**
 * Up to this size a JPEG is written as small as it gets, for which all of it has to be held several
 * times; larger ones are written row by row. The web app sends none that is larger.
 */
const COMPACT_PIXELS = 2048 * 2048

/** How an image of so many pixels is written. */
const ENCODERS: Readonly<Record<Outgoing, (image: Sharp, pixels: number) => Sharp>> = {
  'image/jpeg': (image, pixels) =>
    image.jpeg({
      quality: 85,
      ...(pixels > COMPACT_PIXELS ? { optimiseCoding: false } : { mozjpeg: true }),
    }),
  'image/png': (image) => image.png({ compressionLevel: 9 }),
  // More effort takes more memory, and makes a file hardly smaller.
  'image/webp': (image) => image.webp({ quality: 85, effort: 2 }),
}

/**
 * Re-encodes an uploaded image to `target` (record interface 9.4): first frame, upright, at most 4096 px,
 * without metadata. The type follows from the content, not from the name. No file takes more than 100 MB of
 * memory: one that would is refused by its header.
 * @returns the type of the written image, or the error of the upload
 */
export const rewriteImage = async (
  path: string,
  filename: string,
  target: string,
): Promise<{ type: string } | { error: FieldError }> => {
  const notAnImage = {
    error: fieldError('validation_invalid_mime_type', { file: filename, types: IMAGE_TYPES }),
  }
  const detected = await detectType(path)
  if (detected === undefined) return notAnImage
  return limiter.run(async () => {
    if (detected === 'image/jpeg' && !(await hasShortHead(path)))
      return {
        error: fieldError('validation_image_head_limit', {
          file: filename,
          maxSize: IMAGE_LIMITS.jpegHeadBytes,
        }),
      }
    const source = isStillType(detected) ? stripToFirstFrame(detected, await readFile(path)) : path
    const header = source === undefined ? undefined : await readHeader(source, detected)
    if (source === undefined || header === undefined) return notAnImage
    const tooLarge = sizeError(detected, header, filename)
    if (tooLarge !== undefined) return { error: tooLarge }
    try {
      const image = sharp(source, {
        failOn: 'error',
        limitInputPixels: IMAGE_LIMITS.pixels[detected],
        pages: 1,
      })
      // It is more than a screen shows, and takes twice the memory.
      if (header.isDeep) image.pipelineColourspace('srgb')
      const upright = image.autoOrient().resize({
        width: IMAGE_LIMITS.side,
        height: IMAGE_LIMITS.side,
        fit: 'inside',
        withoutEnlargement: true,
      })
      const type = OUTPUTS[detected]
      await ENCODERS[type](upright, pixelsKept(header)).toFile(target)
      return { type }
    } catch (error) {
      // A disk that fails is ours to report; anything else is the image's.
      if (isDiskFull(error)) throw error
      await writeFile(target, '')
      return notAnImage
    }
  })
}

/** What the header of an image says. */
interface Header {
  readonly width: number
  readonly height: number
  /** It comes coarse first, or one colour after the other: all of it is held until the end. */
  readonly inPasses: boolean
  /** It has more than 8 bits a colour. */
  readonly isDeep: boolean
}

const sizeError = (
  type: Incoming,
  { width, height, inPasses, isDeep }: Header,
  file: string,
): FieldError | undefined => {
  const heavy = inPasses || isDeep
  const maxPixels = Math.min(IMAGE_LIMITS.pixels[type], heavy ? IMAGE_LIMITS.heavyPixels : Infinity)
  const maxSide = heavy ? IMAGE_LIMITS.side : IMAGE_LIMITS.sides[type]
  if (width * height > maxPixels)
    return fieldError('validation_image_pixel_limit', { file, maxPixels })
  return Math.max(width, height) > maxSide
    ? fieldError('validation_image_side_limit', { file, maxSide })
    : undefined
}

const pixelsKept = ({ width, height }: Header): number => {
  const scale = Math.min(1, IMAGE_LIMITS.side / Math.max(width, height))
  return width * height * scale ** 2
}

/**
 * Images are decoded two at a time, which bounds the memory. Every upload may wait, since the number of
 * uploads is limited already; a thumbnail that would wait long is refused and asked for again.
 */
const limiter = createConcurrencyLimiter({ concurrency: 2, maxQueue: 1000 })
const MAX_QUEUED_THUMBS = 32

/** How many images are being decoded, and how many wait. */
export const imageLoad = (): ReturnType<typeof limiter.load> => limiter.load()

const THUMB = /^(\d{1,4})x(\d{1,4})([tbf]?)$/

/**
 * Writes a stored image, which `read` opens, in a smaller size at `target`, as the same type (record interface 4.3):
 * `WxH` cut from the centre, `WxHt` and `WxHb` from the top and the bottom, `WxHf` fitted inside
 * without a cut, `0xH` and `Wx0` scaled to a height or a width.
 * @throws ApiError 503 when too many wait
 */
export const writeThumb = async (
  read: () => Promise<Readable>,
  size: string,
  type: string,
  target: string,
): Promise<void> => {
  const [, width, height, mode] = THUMB.exec(size) ?? []
  const [w, h] = [Number(width), Number(height)]
  const encode = isOutgoing(type) ? ENCODERS[type] : undefined
  if (encode === undefined || !(w > 0 || h > 0)) throw new TypeError(`no thumbnail: ${size}`)
  // A picture one pixel high would be a thousand times as wide as it is to become 300 high.
  const shape: ResizeOptions = {
    width: w || IMAGE_LIMITS.side,
    height: h || IMAGE_LIMITS.side,
    ...((w === 0 || h === 0) && { fit: 'inside' }),
    ...(mode === 'f' && { fit: 'inside', withoutEnlargement: true }),
    ...(mode === 't' && { position: 'top' }),
    ...(mode === 'b' && { position: 'bottom' }),
  }
  await limiter.run(async () => {
    const image = sharp({ limitInputPixels: IMAGE_LIMITS.side ** 2 }).resize(shape)
    const source = await read()
    await Promise.all([pipeline(source, image), encode(image, 0).toFile(target)])
  }, MAX_QUEUED_THUMBS)
}

const isOutgoing = (type: string): type is Outgoing => Object.hasOwn(ENCODERS, type)

const FORMATS: Readonly<Record<Incoming, string>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'heif',
}

/** Read without decoding; undefined when it is not the detected format. */
const readHeader = async (source: string | Buffer, type: Incoming): Promise<Header | undefined> => {
  try {
    const { format, width, height, pageHeight, isProgressive, depth }: Metadata = await sharp(
      source,
      { limitInputPixels: false, pages: 1 },
    ).metadata()
    if (format !== FORMATS[type]) return undefined
    return {
      width,
      height: pageHeight ?? height,
      inPasses: isProgressive,
      isDeep: depth !== 'uchar',
    }
  } catch {
    return undefined
  }
}

const START_OF_SCAN = 0xda
/** The markers that stand alone: fill, and those of no length. */
const isAlone = (marker: number): boolean =>
  marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

/** Does the picture of a JPEG begin where it has to, or is it none? */
const hasShortHead = (path: string): Promise<boolean> =>
  readStart(path, IMAGE_LIMITS.jpegHeadBytes, async (start, handle) => {
    for (let at = 2; at + 4 <= start.length;) {
      const marker = start[at + 1] ?? 0
      if (start[at] !== 0xff || marker === START_OF_SCAN) return true
      at += isAlone(marker) ? 1 + Number(marker !== 0xff) : 2 + start.readUInt16BE(at + 2)
    }
    return (await handle.stat()).size <= start.length
  })

const readStart = async <T>(
  path: string,
  length: number,
  look: (start: Buffer, handle: FileHandle) => T | Promise<T>,
): Promise<T> => {
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, 0)
    return await look(buffer.subarray(0, bytesRead), handle)
  } finally {
    await handle.close()
  }
}

/** Tells the type by the first bytes, before a decoder sees the file. */
const detectType = (path: string): Promise<Incoming | undefined> =>
  readStart(path, 16, (start) => {
    const text = start.toString('latin1')
    if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
    if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
    if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'image/webp'
    if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'image/gif'
    if (text.slice(4, 8) === 'ftyp' && ['avif', 'avis'].includes(text.slice(8, 12)))
      return 'image/avif'
    return undefined
  })
