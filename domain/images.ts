import { MiB } from './limits.ts'

/**
 * Limits of uploaded and stored images (record interface 9.4). They keep the memory for one file below 100 MB; see
 * decision 0027 for the measurements.
 */
export const IMAGE_LIMITS = {
  /** A decoder buffers a few rows of a JPEG or PNG, other images as a whole, and an AVIF several times. */
  pixels: {
    'image/jpeg': 50_000_000,
    'image/png': 50_000_000,
    'image/gif': 8_000_000,
    'image/webp': 2_500_000,
    'image/avif': 2_100_000,
  },
  /**
   * For images that are progressive, interlaced, or have 16 bits per channel. They may not exceed the size of a stored
   * image, because scaling takes even more memory.
   */
  heavyPixels: 8_000_000,
  /** Maximum side of an upload. A JPEG can be decoded at a reduced size, so it has no limit. */
  sides: {
    'image/jpeg': 65_535,
    'image/png': 8192,
    'image/gif': 8192,
    'image/webp': 8192,
    'image/avif': 8192,
  },
  /** Maximum bytes of a JPEG before its image data: a decoder reads all of them. */
  jpegHeadBytes: 2 * MiB,
  /** Maximum side of a stored image. */
  side: 4096,
} as const

export const IMAGE_TYPES = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/avif',
] as const
