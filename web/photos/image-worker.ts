import { encodingOf, fit, paint, type ImageLimits } from './image-size.ts'

interface Job {
  readonly job: number
  readonly file: File
  readonly limits: ImageLimits
}

/** Re-encodes images off the main thread, which a large photo would block. */
addEventListener('message', (event: MessageEvent<Job>) => {
  const { job, file, limits } = event.data
  draw(file, limits).then(
    (blob) => postMessage({ job, blob }),
    () => postMessage({ job }),
  )
})

const draw = async (file: File, limits: ImageLimits): Promise<Blob> => {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const { width, height } = fit(bitmap.width, bitmap.height, limits.side)
  const canvas = new OffscreenCanvas(width, height)
  paint(canvas, bitmap, limits)
  return canvas.convertToBlob(encodingOf(limits))
}
