import { createContext, useContext } from 'react'

import type { Language } from '#domain/language.ts'
import { inLanguage } from '#domain/site-pages.ts'
import { useSettings } from '../settings.ts'

/** The language that the URL of the page states; undefined if it states none. */
export const NamedLanguage = createContext<Language | undefined>(undefined)

/** Returns a function that links to another page about sites, which keeps the language that the URL of this page states. */
export const useSitePageLink = (): ((path: string) => string) => {
  const basePath = useSettings()['base-path']
  const named = useContext(NamedLanguage)
  return (path) => basePath + (named === undefined ? path : inLanguage(path, named))
}
