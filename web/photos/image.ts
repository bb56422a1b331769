import { encodingOf, fit, paint, type ImageLimits } from './image-size.ts'

/** The reason for rejecting a file. */
type ImageFailure = 'unreadable' | 'heic'

/** The outcome of preparing a file. */
export type Prepared = { readonly file: File } | { readonly failure: ImageFailure }

const HEIC = /\.hei[cf]$|^image\/hei[cf]/i

/**
 * Prepares an image for upload: upright, no larger than needed, and without metadata, above all the position. It is
 * re-encoded in a worker where the browser supports it.
 */
export const prepareImage = async (file: File, limits: ImageLimits): Promise<Prepared> => {
  const blob = await drawAnew(file, limits).catch(() => undefined)
  if (blob === undefined) {
    const heic = HEIC.test(file.type) || HEIC.test(file.name)
    return { failure: heic ? 'heic' : 'unreadable' }
  }
  return { file: new File([blob], rename(file.name, blob.type), { type: blob.type }) }
}

const drawAnew = async (file: File, limits: ImageLimits): Promise<Blob> => {
  if (file.type === 'image/svg+xml') return drawVector(file, limits)
  if (typeof OffscreenCanvas === 'function' && typeof Worker === 'function') {
    try {
      return await drawInWorker(file, limits)
    } catch {
      // Some browsers cannot start the worker or draw in it. The page then re-encodes the image itself.
    }
  }
  return drawInPage(file, limits)
}

const drawInPage = async (file: File, limits: ImageLimits): Promise<Blob> => {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const canvas = document.createElement('canvas')
  Object.assign(canvas, fit(bitmap.width, bitmap.height, limits.side))
  paint(canvas, bitmap, limits)
  return toBlob(canvas, limits)
}

let worker: Worker | undefined
let lastJob = 0

const drawInWorker = (file: File, limits: ImageLimits): Promise<Blob> =>
  new Promise((resolve, reject) => {
    worker ??= new Worker(new URL('./image-worker.ts', import.meta.url), { type: 'module' })
    const job = (lastJob += 1)
    const stop = new AbortController()
    const { signal } = stop
    worker.addEventListener(
      'message',
      ({ data }: MessageEvent<{ job: number; blob?: Blob }>) => {
        if (data.job !== job) return
        stop.abort()
        if (data.blob === undefined) reject(new Error('not drawn'))
        else resolve(data.blob)
      },
      { signal },
    )
    worker.addEventListener(
      'error',
      () => {
        stop.abort()
        worker = undefined
        reject(new Error('no worker'))
      },
      { signal },
    )
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
    worker.postMessage({ job, file, limits })
  })

/** `createImageBitmap` does not decode SVG; an image element rasterises it. */
const drawVector = async (file: File, limits: ImageLimits): Promise<Blob> => {
  const url = URL.createObjectURL(file)
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const [width, height] = [image.naturalWidth || 1, image.naturalHeight || 1]
    const scale = limits.side / Math.max(width, height)
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(width * scale)
    canvas.height = Math.round(height * scale)
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await toBlob(canvas, limits)
  } finally {
    URL.revokeObjectURL(url)
  }
}

const toBlob = (canvas: HTMLCanvasElement, limits: ImageLimits): Promise<Blob> =>
  new Promise((resolve, reject) => {
    const { type, quality } = encodingOf(limits)
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('no image')) : resolve(blob)),
      type,
      quality,
    )
  })

/** Adapts the extension to the type of the result: a browser that cannot encode a type encodes another one. */
const rename = (name: string, type: string): string =>
  `${name.replace(/\.\w+$/, '') || 'image'}.${type === 'image/png' ? 'png' : 'jpg'}`
