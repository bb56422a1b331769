import { randomBytes } from 'node:crypto'

import sharp, { type Sharp } from 'sharp'

interface PhotoOptions {
  readonly width?: number
  readonly height?: number
  readonly type?: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'tiff'
  /** EXIF orientation; 6 means that the camera was held upright. */
  readonly orientation?: number
  /** Adds the position where it was taken, as a phone does. */
  readonly withPosition?: boolean
}

/** What a photo with a position carries in its metadata, to be looked for in what is stored. */
export const CAMERA = 'Planted Camera 4711'

/** A picture whose left half is red and whose right half is blue, as a file of an upload. */
export const makePhoto = async (name: string, options: PhotoOptions = {}): Promise<File> => {
  const bytes = await encodePhoto(options)
  return new File([new Uint8Array(bytes)], name, { type: `image/${options.type ?? 'jpeg'}` })
}

const encodePhoto = async ({
  width = 640,
  height = 480,
  type = 'jpeg',
  orientation,
  withPosition,
}: PhotoOptions): Promise<Buffer> => {
  const half = {
    create: { width: Math.ceil(width / 2), height, channels: 3, background: '#0000ff' },
  } as const
  const image: Sharp = sharp({ create: { width, height, channels: 3, background: '#ff0000' } })
    .composite([{ input: half, left: Math.floor(width / 2), top: 0 }])
    .withMetadata(orientation === undefined ? {} : { orientation })
  const withExif = withPosition
    ? image.withExifMerge({
        IFD0: { Model: CAMERA },
        IFD3: {
          GPSLatitudeRef: 'N',
          GPSLatitude: '55/1 12/1 14/1',
          GPSLongitudeRef: 'W',
          GPSLongitude: '6/1 39/1 10/1',
        },
      })
    : image
  return withExif.toFormat(type).toBuffer()
}

/** A PNG whose header promises far more pixels than its few bytes hold. */
export const makePixelBomb = async (name: string): Promise<File> => {
  const bytes = await sharp({
    create: { width: 12_000, height: 12_000, channels: 3, background: '#000' },
    limitInputPixels: false,
  })
    .png({ compressionLevel: 9 })
    .toBuffer()
  return new File([new Uint8Array(bytes)], name, { type: 'image/png' })
}

/** Bytes of no meaning, for a file that is only large. */
export const makeNoise = (name: string, bytes: number): File =>
  new File([randomBytes(bytes)], name, { type: 'image/jpeg' })
