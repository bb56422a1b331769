/** The two screens that every test is shown on that is not tagged `@once`, in CSS pixels. */
export const SCREENS = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1440, height: 900 },
} as const
