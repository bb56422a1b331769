import { fit, type ImageLimits } from './image-size.ts'

interface Job {
  readonly job: number
  readonly file: File
  readonly limits: ImageLimits
}

/** Draws images anew, off the main thread: a large photo would otherwise stop the page for a while. */
addEventListener('message', (event: MessageEvent<Job>) => {
  const { job, file, limits } = event.data
  draw(file, limits).then(
    (blob) => postMessage({ job, blob }),
    () => postMessage({ job }),
  )
})

const draw = async (file: File, { side, kind }: ImageLimits): Promise<Blob> => {
  const bitmap = await createImageBitmap(file)
  const { width, height } = fit(bitmap.width, bitmap.height, side)
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('no canvas')
  if (kind === 'photo') {
    // What is transparent would otherwise turn black.
    context.fillStyle = '#fff'
    context.fillRect(0, 0, width, height)
  }
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, width, height)
  bitmap.close()
  return canvas.convertToBlob(
    kind === 'logo' ? { type: 'image/png' } : { type: 'image/jpeg', quality: 0.82 },
  )
}
