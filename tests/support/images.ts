import { randomBytes } from 'node:crypto'

import sharp, { type OverlayOptions, type Sharp } from 'sharp'

interface PhotoOptions {
  readonly width?: number
  readonly height?: number
  readonly type?: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'tiff'
  /** EXIF orientation; 6 means that the camera was held upright. */
  readonly orientation?: number
  /** Adds the position of the photo, as phones do. */
  readonly withPosition?: boolean
}

/** A text in the metadata of a photo with a position, to search for in stored files. */
export const CAMERA = 'Planted Camera 4711'

const POSITION = {
  IFD0: { Model: CAMERA },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '55/1 12/1 14/1',
    GPSLongitudeRef: 'W',
    GPSLongitude: '6/1 39/1 10/1',
  },
}

/** A picture to upload, whose left half is red and whose right half is blue. */
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
  const withExif = withPosition ? image.withExifMerge(POSITION) : image
  return withExif.toFormat(type).toBuffer()
}

/**
 * A phone photo in portrait format: 12 megapixels full of detail, rotated, with a position. Upright, its upper half is
 * reddish and its lower half bluish.
 */
export const makeCameraPhoto = async (name: string): Promise<File> => {
  const [width, height] = [4032, 3024]
  const noise = (scale: number, sigma: number) =>
    sharp({
      create: {
        width: width / scale,
        height: height / scale,
        channels: 3,
        background: '#808080',
        noise: { type: 'gaussian', mean: 128, sigma },
      },
    })
  // Large shapes with sensor noise.
  const shapes = await noise(16, 40).resize(width, height).png({ compressionLevel: 0 }).toBuffer()
  const grain = await noise(1, 15).ensureAlpha(0.5).png({ compressionLevel: 0 }).toBuffer()
  const half = (r: number, b: number): OverlayOptions['input'] => ({
    create: { width: width / 2, height, channels: 4, background: { r, g: 0, b, alpha: 0.4 } },
  })
  const bytes = await sharp(shapes)
    .composite([
      { input: grain },
      { input: half(255, 0), left: 0, top: 0 },
      { input: half(0, 255), left: width / 2, top: 0 },
    ])
    .withMetadata({ orientation: 6 })
    .withExifMerge(POSITION)
    .jpeg({ quality: 95 })
    .toBuffer()
  return new File([new Uint8Array(bytes)], name, { type: 'image/jpeg' })
}

/** A PNG whose header declares far more pixels than its few bytes contain. */
export const makePixelBomb = async (name: string): Promise<File> => {
  const bytes = await sharp({
    create: { width: 12_000, height: 12_000, channels: 3, background: '#000' },
    limitInputPixels: false,
  })
    .png({ compressionLevel: 9 })
    .toBuffer()
  return new File([new Uint8Array(bytes)], name, { type: 'image/png' })
}

/** Random bytes, for a file that only has to be large. */
export const makeNoise = (name: string, bytes: number): File =>
  new File([randomBytes(bytes)], name, { type: 'image/jpeg' })

/** A picture of a house with chargers, for screenshots; each `scene` gives a different one. */
export const makePicture = async (name: string, scene: number): Promise<File> => {
  const pick = <T>(values: readonly T[], step: number): T =>
    values[(scene * step + step) % values.length] as T
  const sky = pick(['#8fc7ec', '#f4c38f', '#a9b8c9', '#6f93c4'], 1)
  const wall = pick(['#efe6d6', '#c96f53', '#d9dde0', '#7f8f72', '#b9a184'], 3)
  const hill = pick(['#5d8a5a', '#3f6d76', '#87945a'], 2)
  const [width, height] = scene % 3 === 2 ? [900, 1200] : [1200, 900]
  const storeys = 2 + (scene % 3)
  const top = height * 0.72 - storeys * 110
  const windows = Array.from({ length: storeys * 6 }, (_, index) => {
    const [column, storey] = [index % 6, Math.floor(index / 6)]
    const x = width * 0.14 + column * width * 0.08
    return `<rect x="${x}" y="${top + 35 + storey * 110}" width="${width * 0.045}" height="62" rx="4" fill="${(index * 7 + scene) % 5 === 0 ? '#ffe6a3' : '#33475b'}"/>`
  })
  const chargers = Array.from({ length: 2 + (scene % 3) }, (_, index) => {
    const x = width * 0.62 + index * width * 0.11
    const y = height * 0.62
    return (
      `<rect x="${x}" y="${y}" width="44" height="${height * 0.16}" rx="8" fill="#f6fafc"/>` +
      `<rect x="${x + 8}" y="${y + 12}" width="28" height="30" rx="4" fill="#0b4f7d"/>` +
      `<path d="M${x + 26} ${y + 56} l-14 24 h12 l-6 22 18 -28 h-12 z" fill="#2eaeff"/>`
    )
  })
  const car = (x: number, colour: string) =>
    `<g transform="translate(${x} ${height * 0.77})"><path d="M0 60 q4 -34 40 -36 l34 -34 q60 -14 112 0 l38 34 q40 4 40 36 v26 h-264 z" fill="${colour}"/>` +
    `<path d="M58 22 l26 -24 q40 -8 84 0 l26 24 z" fill="#d7ecfa"/><circle cx="58" cy="86" r="26" fill="#1d2a35"/><circle cx="206" cy="86" r="26" fill="#1d2a35"/></g>`
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="s" x1="0" y1="0" x2="0" y2="1">` +
    `<stop offset="0" stop-color="${sky}"/><stop offset="1" stop-color="#f5efe4"/></linearGradient></defs>` +
    `<rect width="${width}" height="${height}" fill="url(#s)"/><circle cx="${width * (0.2 + 0.15 * (scene % 5))}" cy="${height * 0.18}" r="46" fill="#fff4cf"/>` +
    `<path d="M0 ${height * 0.6} q${width * 0.25} ${-height * 0.16} ${width * 0.55} 0 t${width * 0.45} ${-height * 0.05} V${height} H0 z" fill="${hill}"/>` +
    `<rect x="${width * 0.1}" y="${top}" width="${width * 0.52}" height="${height * 0.8 - top}" fill="${wall}"/>` +
    `<path d="M${width * 0.07} ${top} h${width * 0.58} l-${width * 0.08} -70 h-${width * 0.42} z" fill="#4b3f3a"/>${windows.join('')}` +
    `<rect y="${height * 0.78}" width="${width}" height="${height * 0.22}" fill="#5b6671"/>${chargers.join('')}` +
    `${car(width * 0.12, pick(['#c0392b', '#2c6e91', '#e0a030', '#2f4858'], 1))}${car(width * 0.6, '#e8eef2')}</svg>`
  const bytes = await sharp(Buffer.from(svg)).blur(0.6).jpeg({ quality: 82 }).toBuffer()
  return new File([new Uint8Array(bytes)], name, { type: 'image/jpeg' })
}

/** A logo, for screenshots. */
export const makeLogo = async (name: string): Promise<File> => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><rect width="400" height="400" rx="60" fill="#123c4a"/>' +
    '<path d="M60 270 q70 -50 140 0 t140 0 v50 q-70 50 -140 0 t-140 0 z" fill="#7fd1c7"/><path d="M150 80 h100 v150 h-100 z" fill="#f6efe2"/><path d="M200 40 l80 50 h-160 z" fill="#e0a030"/></svg>'
  const bytes = await sharp(Buffer.from(svg)).png().toBuffer()
  return new File([new Uint8Array(bytes)], name, { type: 'image/png' })
}
