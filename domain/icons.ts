/** The icons of the installed app, relative to the build folder (Web Application Manifest, 2.6). */
export const APP_ICONS = [
  { file: 'icons/192.png', sizePx: 192, purpose: 'any' },
  { file: 'icons/512.png', sizePx: 512, purpose: 'any' },
  /** Fills its square, because the device crops it. */
  { file: 'icons/maskable-512.png', sizePx: 512, purpose: 'maskable' },
] as const

/** For the home screen of iOS, which rounds the corners. */
export const TOUCH_ICON = { file: 'icons/apple-touch.png', sizePx: 180 } as const

/** The picture in link previews. */
export const PREVIEW_IMAGE = APP_ICONS[1]
