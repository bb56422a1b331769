import { MiB } from './limits.ts'

/**
 * Images: what is taken in, and what is kept (record interface 9.4). What is taken in is bounded so that no
 * file takes more than 100 MB of memory; decision 0027 has what was measured.
 */
export const IMAGE_LIMITS = {
  /** Of a JPEG or PNG a decoder holds some rows, of the others the whole picture, and AVIF several times. */
  pixels: {
    'image/jpeg': 50_000_000,
    'image/png': 50_000_000,
    'image/gif': 8_000_000,
    'image/webp': 2_500_000,
    'image/avif': 2_100_000,
  },
  /**
   * Of an image that comes coarse first (progressive, interlaced), or has 16 bits a colour; it may be
   * no longer than what is stored, as to make it smaller takes more memory still.
   */
  heavyPixels: 8_000_000,
  /** Longest side of what is taken in. A JPEG, which can be read smaller than it is, may be as long as one gets. */
  sides: {
    'image/jpeg': 65_535,
    'image/png': 8192,
    'image/gif': 8192,
    'image/webp': 8192,
    'image/avif': 8192,
  },
  /** What a JPEG may carry in front of its picture: a decoder reads all of it, needed or not. */
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
