/** The limits that a chosen file is re-encoded to before upload. */
export interface ImageLimits {
  /** Longest side, in pixels. */
  readonly side: number
  /** `photo` may lose a little detail; `logo` keeps transparency and sharp edges. */
  readonly kind: 'photo' | 'logo'
}

/** Scales a size down so that its longest side is at most `side`; images are never enlarged. */
export const fit = (width: number, height: number, side: number) => {
  const scale = Math.min(1, side / Math.max(width, height))
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  }
}

/** The format and quality of each kind: photos are compressed, logos are lossless. */
export const encodingOf = ({ kind }: ImageLimits) =>
  kind === 'logo' ? { type: 'image/png' } : { type: 'image/jpeg', quality: 0.82 }

/** Draws an image over a whole canvas, and releases the image. */
export const paint = (
  canvas: HTMLCanvasElement | OffscreenCanvas,
  bitmap: ImageBitmap,
  { kind }: ImageLimits,
): void => {
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('no canvas')
  const { width, height } = canvas
  if (kind === 'photo') {
    // Transparent pixels would otherwise become black.
    context.fillStyle = '#fff'
    context.fillRect(0, 0, width, height)
  }
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, width, height)
  bitmap.close()
}
