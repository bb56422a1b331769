/** The two screens that every test is shown on that is not tagged `@once`, in CSS pixels. */
export const SCREENS = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1440, height: 900 },
} as const

/** What is sent, and what comes of a failure, does not depend on the width of the screen. */
export const DESKTOP_ONLY = /(wire|analytics|origins|failure)\.spec\.ts$/
