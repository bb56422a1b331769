/** The icons of an installed app, below the folder of the build (Web Application Manifest, 2.6). */
export const APP_ICONS = [
  { file: 'icons/192.png', sizePx: 192, purpose: 'any' },
  { file: 'icons/512.png', sizePx: 512, purpose: 'any' },
  /** Fills its square: a device cuts a shape of its own out of it. */
  { file: 'icons/maskable-512.png', sizePx: 512, purpose: 'maskable' },
] as const

/** What an iPhone puts on its home screen; it rounds the corners itself. */
export const TOUCH_ICON = { file: 'icons/apple-touch.png', sizePx: 180 } as const

/** The picture beside the title in a preview of a link. */
export const PREVIEW_IMAGE = APP_ICONS[1]
