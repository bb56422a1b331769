import sharp, { type Sharp } from 'sharp'

import { IMAGE_LIMITS } from '#domain/images.ts'

import { blankJpeg, blankPng, gifFrame, gifHeader, GIF_END, join } from './hostile-bytes.ts'

/** A picture full of detail, generated from a few bytes. */
const detailed = (width: number, height: number, coarse: number): Sharp =>
  sharp({
    create: {
      width: Math.ceil(width / coarse),
      height: Math.ceil(height / coarse),
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  }).resize(width, height, { kernel: 'nearest', fit: 'fill' })

/** The largest size of this aspect ratio within the limits of pixels and sides. */
const largest = (pixels: number, side: number = IMAGE_LIMITS.side): [number, number] => {
  const width = Math.min(side, Math.floor(Math.sqrt((pixels * 4) / 3)))
  return [width, Math.min(side, Math.floor(pixels / width))]
}

/** Valid images at the maximum of each type, in the encodings that use the most memory, by description. */
export const makeLargestImages = async (): Promise<Readonly<Record<string, Buffer>>> => {
  const { pixels, heavyPixels, sides } = IMAGE_LIMITS
  const photo = largest(pixels['image/jpeg'], sides['image/jpeg'])
  const [width, height] = largest(heavyPixels)
  const [gifWidth, gifHeight] = largest(pixels['image/gif'])
  const clear = (image: Sharp): Sharp => image.ensureAlpha(0.5)
  return {
    'a photo held upright': await detailed(...photo, 4)
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 78 })
      .toBuffer(),
    // With one more pixel, it would be decoded at half its size.
    'a panorama': blankJpeg({ width: 12_287, height: 4069 }),
    'a progressive JPEG': await detailed(width, height, 4)
      .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
      .toBuffer(),
    'a JPEG in four scans': blankJpeg({ width, height, components: 4, apart: true }),
    'a PNG': blankPng({ width: sides['image/png'], height: 6103, colours: 6 }),
    'a PNG full of detail': await clear(detailed(IMAGE_LIMITS.side, IMAGE_LIMITS.side, 8))
      .png({ compressionLevel: 1 })
      .toBuffer(),
    'an interlaced PNG of 16 bits': blankPng({
      width,
      height,
      depth: 16,
      colours: 6,
      interlaced: true,
    }),
    'a GIF': join(gifHeader(gifWidth, gifHeight), gifFrame(gifWidth, gifHeight), GIF_END),
    'a lossless WebP': await clear(detailed(...largest(pixels['image/webp']), 1))
      .webp({ lossless: true, effort: 0 })
      .toBuffer(),
    'a WebP': await clear(detailed(...largest(pixels['image/webp']), 4))
      .webp({ effort: 0 })
      .toBuffer(),
    'an AVIF of 12 bits': await clear(detailed(...largest(pixels['image/avif']), 4))
      .avif({ effort: 0, bitdepth: 12, chromaSubsampling: '4:4:4' })
      .toBuffer(),
  }
}
