import { open, readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import sharp, { type Metadata, type ResizeOptions, type Sharp } from 'sharp'

import { IMAGE_LIMITS, IMAGE_TYPES } from '#domain/api.ts'
import { fieldError, type FieldError } from '#domain/error.ts'

import { isDiskFull } from '../problem.ts'
import { stripPng } from './png.ts'

// Photos are decoded once; a cache of them would only hold memory.
sharp.cache(false)

/** How each kind that comes in is written: GIF and AVIF become what every browser shows. */
const OUTPUTS: Readonly<Record<string, 'image/jpeg' | 'image/png' | 'image/webp'>> = {
  'image/jpeg': 'image/jpeg',
  'image/png': 'image/png',
  'image/webp': 'image/webp',
  'image/gif': 'image/png',
  'image/avif': 'image/webp',
}

const ENCODERS: Readonly<Record<string, (image: Sharp) => Sharp>> = {
  'image/jpeg': (image) => image.jpeg({ quality: 85, mozjpeg: true }),
  'image/png': (image) => image.png({ compressionLevel: 9 }),
  'image/webp': (image) => image.webp({ quality: 85 }),
}

/**
 * Writes an uploaded image anew at `target` (decisions 5.4): first frame, upright, at most
 * 4096 px, without metadata. What the file is decides, not its name.
 * @returns the type of what was written, or what is wrong with the upload
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
  const type = detected === undefined ? undefined : OUTPUTS[detected]
  const encode = type === undefined ? undefined : ENCODERS[type]
  if (type === undefined || encode === undefined) return notAnImage
  return inLane(async () => {
    const source = detected === 'image/png' ? stripPng(await readFile(path)) : path
    const header = source === undefined ? undefined : await readHeader(source, detected)
    if (source === undefined || header === undefined) return notAnImage
    if (header.width * header.height > IMAGE_LIMITS.pixels)
      return {
        error: fieldError('validation_image_pixel_limit', {
          file: filename,
          maxPixels: IMAGE_LIMITS.pixels,
        }),
      }
    try {
      const image = sharp(source, {
        failOn: 'error',
        limitInputPixels: IMAGE_LIMITS.pixels,
        pages: 1,
      })
      const upright = image.autoOrient().resize({
        width: IMAGE_LIMITS.side,
        height: IMAGE_LIMITS.side,
        fit: 'inside',
        withoutEnlargement: true,
      })
      await encode(upright).toFile(target)
      return { type }
    } catch (error) {
      // A full disk is ours to report; anything else is the image's.
      if (isDiskFull(error)) throw error
      return notAnImage
    }
  })
}

/** Images are decoded two at a time, so that many at once do not take the memory of all. */
const LANES = 2
const waiting: (() => void)[] = []
let busy = 0

const inLane = async <T>(run: () => Promise<T>): Promise<T> => {
  if (busy >= LANES) await new Promise<void>((resolve) => waiting.push(resolve))
  else busy += 1
  try {
    return await run()
  } finally {
    const next = waiting.shift()
    if (next === undefined) busy -= 1
    else next()
  }
}

const THUMB = /^(\d{1,4})x(\d{1,4})([tbf]?)$/

/**
 * Writes a stored image, which `read` opens, in a smaller size at `target`, as the same type (record interface 4.3):
 * `WxH` cut from the centre, `WxHt` and `WxHb` from the top and the bottom, `WxHf` fitted inside
 * without a cut, `0xH` and `Wx0` scaled to a height or a width.
 */
export const writeThumb = async (
  read: () => Readable,
  size: string,
  type: string,
  target: string,
): Promise<void> => {
  const [, width, height, mode] = THUMB.exec(size) ?? []
  const [w, h] = [Number(width), Number(height)]
  const encode = ENCODERS[type]
  if (encode === undefined || !(w > 0 || h > 0)) throw new TypeError(`no thumbnail: ${size}`)
  const shape: ResizeOptions = {
    ...(w > 0 && { width: w }),
    ...(h > 0 && { height: h }),
    ...(mode === 'f' && { fit: 'inside', withoutEnlargement: true }),
    ...(mode === 't' && { position: 'top' }),
    ...(mode === 'b' && { position: 'bottom' }),
  }
  await inLane(async () => {
    const image = sharp({ limitInputPixels: IMAGE_LIMITS.pixels }).resize(shape)
    await Promise.all([pipeline(read(), image), encode(image).toFile(target)])
  })
}

const FORMATS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'heif',
}

/** The size in the header, read without decoding; undefined when it is not the detected format. */
const readHeader = async (
  source: string | Buffer,
  type: string | undefined,
): Promise<{ width: number; height: number } | undefined> => {
  try {
    const { format, width, height, pageHeight }: Metadata = await sharp(source, {
      limitInputPixels: false,
      pages: 1,
    }).metadata()
    if (type === undefined || format !== FORMATS[type]) return undefined
    return { width, height: pageHeight ?? height }
  } catch {
    return undefined
  }
}

/** Tells the type by the first bytes, before a decoder sees the file. */
const detectType = async (path: string): Promise<string | undefined> => {
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0)
    const text = buffer.subarray(0, bytesRead).toString('latin1')
    if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
    if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
    if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'image/webp'
    if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'image/gif'
    if (text.slice(4, 8) === 'ftyp' && ['avif', 'avis'].includes(text.slice(8, 12)))
      return 'image/avif'
    return undefined
  } finally {
    await handle.close()
  }
}
