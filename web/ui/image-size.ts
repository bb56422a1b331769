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
