import { open, readFile, writeFile, type FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import sharp, { type Metadata, type ResizeOptions, type Sharp } from 'sharp'

import { IMAGE_LIMITS, IMAGE_TYPES } from '#domain/images.ts'
import { fieldError, type FieldError } from '#domain/error.ts'

import { createConcurrencyLimiter } from '../concurrency.ts'
import { isDiskFull } from '../problem.ts'
import { isStillType, stripToFirstFrame } from './first-frame.ts'

// Photos are decoded once; a cache would only use memory.
sharp.cache(false)

type Incoming = (typeof IMAGE_TYPES)[number]
type Outgoing = 'image/jpeg' | 'image/png' | 'image/webp'

/** The output format of each input format: GIF and AVIF become formats that every browser displays. */
const OUTPUTS: Readonly<Record<Incoming, Outgoing>> = {
  'image/jpeg': 'image/jpeg',
  'image/png': 'image/png',
  'image/webp': 'image/webp',
  'image/gif': 'image/png',
  'image/avif': 'image/webp',
}

/**
 * Up to this size a JPEG is optimized, which buffers it several times; larger ones are written row by row. The web
 * app sends none that is larger.
 */
const COMPACT_PIXELS = 2048 * 2048

const ENCODERS: Readonly<Record<Outgoing, (image: Sharp, pixels: number) => Sharp>> = {
  'image/jpeg': (image, pixels) =>
    image.jpeg({
      quality: 85,
      ...(pixels > COMPACT_PIXELS ? { optimiseCoding: false } : { mozjpeg: true }),
    }),
  'image/png': (image) => image.png({ compressionLevel: 9 }),
  // More effort takes more memory and barely reduces the size.
  'image/webp': (image) => image.webp({ quality: 85, effort: 2 }),
}

/**
 * Re-encodes an uploaded image to `target` (record interface 9.4): first frame, upright, at most 4096 px, without
 * metadata. The type is detected from the content, not from the name. No file takes more than 100 MB of memory:
 * one that would is refused by its header.
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
      // Such depth exceeds what a screen displays, and takes twice the memory.
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
      // A full disk is a failure of the server; any other error is the image's.
      if (isDiskFull(error)) throw error
      await writeFile(target, '')
      return notAnImage
    }
  })
}

/** The header of an image. */
interface Header {
  readonly width: number
  readonly height: number
  /** Progressive, interlaced or non-interleaved: the decoder buffers the whole image. */
  readonly inPasses: boolean
  /** More than 8 bits per channel. */
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
 * Two images are decoded at a time, which bounds the memory. Uploads may always wait, since their number is limited. If
 * the queue is long, a thumbnail is refused and requested again later.
 */
const limiter = createConcurrencyLimiter({ concurrency: 2, maxQueue: 1000 })
const MAX_QUEUED_THUMBS = 32

/** The number of images that are being decoded, and the length of the queue. */
export const imageLoad = (): ReturnType<typeof limiter.load> => limiter.load()

const THUMB = /^(\d{1,4})x(\d{1,4})([tbf]?)$/

/**
 * Writes a smaller version of a stored image, which `read` opens, to `target`, in the same format (record interface
 * 4.3): `WxH` is cropped from the centre, `WxHt` and `WxHb` from the top and the bottom, `WxHf` is fitted without
 * cropping, `0xH` and `Wx0` are scaled to a height or a width.
 * @throws ApiError 503 if the queue is full
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
  // Otherwise an image one pixel high would become hundreds of times wider when scaled to a height of 300.
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

/** Reads the header without decoding; undefined if the file is not of the detected format. */
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
/** Markers without a length: fill bytes and standalone markers. */
const isAlone = (marker: number): boolean =>
  marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

/** Whether the picture of a JPEG begins within the limit; true if the file is not a JPEG. */
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

/** Detects the type from the first bytes, before a decoder reads the file. */
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
