/** The two viewports of every test that is not tagged `@once`, in CSS pixels. */
export const SCREENS = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1440, height: 900 },
} as const

/** Between them, for the contact sheet: layouts that are right at both ends can fail here. */
export const TABLET = { width: 768, height: 1024 } as const

/** Requests and failures do not depend on the viewport. */
export const DESKTOP_ONLY = /(wire|analytics|origins|failure)\.spec\.ts$/
