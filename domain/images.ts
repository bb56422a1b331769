import { MiB } from './limits.ts'

/**
 * Limits of uploaded and stored images (record interface 9.4). They keep the memory for one file
 * below 100 MB; decision 0027 has the measurements.
 */
export const IMAGE_LIMITS = {
  /**
   * A decoder holds some rows of a JPEG or PNG, the whole of the others, and an AVIF several times.
   */
  pixels: {
    'image/jpeg': 50_000_000,
    'image/png': 50_000_000,
    'image/gif': 8_000_000,
    'image/webp': 2_500_000,
    'image/avif': 2_100_000,
  },
  /**
   * For images that are progressive or interlaced, or have 16 bits a channel. They may be no longer
   * than a stored image, since scaling them down takes even more memory.
   */
  heavyPixels: 8_000_000,
  /**
   * Longest side of an upload. A JPEG can be decoded at a smaller size, so it may have any length.
   */
  sides: {
    'image/jpeg': 65_535,
    'image/png': 8192,
    'image/gif': 8192,
    'image/webp': 8192,
    'image/avif': 8192,
  },
  /** Most bytes in a JPEG before its picture: a decoder reads them all, needed or not. */
  jpegHeadBytes: 2 * MiB,
  /** Longest side of a stored image. */
  side: 4096,
} as const

export const IMAGE_TYPES = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/avif',
] as const
