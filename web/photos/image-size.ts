/** What a chosen file becomes before it is sent. */
export interface ImageLimits {
  /** Longest side, in pixels. */
  readonly side: number
  /** `photo` may lose a little detail; `logo` keeps transparency and sharp edges. */
  readonly kind: 'photo' | 'logo'
}

/** The largest size of the same shape whose longest side is `side`; images are never made larger. */
export const fit = (width: number, height: number, side: number) => {
  const scale = Math.min(1, side / Math.max(width, height))
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  }
}

/** How an image is written: a photo small, a logo exactly. */
export const encodingOf = ({ kind }: ImageLimits) =>
  kind === 'logo' ? { type: 'image/png' } : { type: 'image/jpeg', quality: 0.82 }

/** Draws an image over the whole of a canvas, and lets go of it. */
export const paint = (
  canvas: HTMLCanvasElement | OffscreenCanvas,
  bitmap: ImageBitmap,
  { kind }: ImageLimits,
): void => {
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('no canvas')
  const { width, height } = canvas
  if (kind === 'photo') {
    // What is transparent would otherwise turn black.
    context.fillStyle = '#fff'
    context.fillRect(0, 0, width, height)
  }
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, width, height)
  bitmap.close()
}
