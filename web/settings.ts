import { createContext, use } from 'react'

import type { WebSettings } from '#domain/settings.ts'

export const SettingsContext = createContext<WebSettings | undefined>(undefined)

/** The settings of this installation, including the product's name. */
export const useSettings = (): WebSettings => {
  const settings = use(SettingsContext)
  if (settings === undefined) throw new Error('SettingsContext is missing')
  return settings
}
