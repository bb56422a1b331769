import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { LANGUAGES, type Language } from '#domain/language.ts'
import { inLanguage, SITE_PAGES } from '#domain/site-pages.ts'
import type {
  DrawSitePage,
  SitePageFiles,
  SitePageForm,
  SitePageSubject,
} from '#domain/site-pages.ts'

import type { Config } from '../config.ts'
import { readBuilt } from '../http/built.ts'
import { dataBlock, headOf } from '../http/head.ts'
import { queryOf } from '../http/parameters.ts'
import { webSettingsOf } from '../http/web-settings.ts'

/** The properties of a page other than its subject. */
interface PageOptions {
  readonly form: SitePageForm
  /** The path below the base path, without the language. */
  readonly path: string
  readonly language: Language
  readonly isNamed: boolean
}

/** The pages about sites. */
export interface SitePages {
  /** The inline script of every page that is not framed. */
  readonly script: string
  /** Renders the whole page as HTML. */
  write(subject: SitePageSubject, options: PageOptions): string
}

/** Loads the site pages from the build. @returns undefined without a build */
export const loadSitePages = async (
  webDir: string,
  config: Config,
): Promise<SitePages | undefined> => {
  const files = await readBuilt<SitePageFiles>(webDir, SITE_PAGES.files)
  if (files === undefined) return undefined
  const module = (await import(pathToFileURL(join(webDir, SITE_PAGES.module)).href)) as {
    drawSitePage: DrawSitePage
  }
  const { basePath, publicUrl } = config
  const settings = webSettingsOf(config)
  const template = files.template.replaceAll(
    /(src|href)="\//g,
    (_, attribute: string) => `${attribute}="${basePath}/`,
  )
  const styles = files.styles.map((file) => `<link rel="stylesheet" href="${basePath}/${file}" />`)
  const scriptOf = (subject: SitePageSubject, form: SitePageForm): string => {
    if (form !== 'embed') return `<script>${files.script}</script>`
    return subject.kind === 'business'
      ? `<script type="module" src="${basePath}/${files.mapScripts[0]}"></script>`
      : ''
  }
  return {
    script: files.script,
    write: (subject, { form, path, language, isNamed }) => {
      const drawn = module.drawSitePage(subject, {
        form,
        language,
        isNamed,
        settings,
        publicUrl,
        path,
      })
      const isListed = subject.kind === 'site' && form === 'page'
      const head = [
        ...headOf(config, {
          ...drawn,
          language,
          path: isNamed ? inLanguage(path, language) : path,
          isListed,
          ...(isListed && { inLanguages: path }),
        }),
        ...(drawn.structuredData === undefined
          ? []
          : [dataBlock('type="application/ld+json"', drawn.structuredData)]),
        ...styles,
        // Without it, links of a framed page would open in the frame.
        ...(form === 'embed' ? ['<base target="_blank" />'] : []),
      ]
      return template
        .replace('<html lang="en">', `<html lang="${language}">`)
        .replace('<!--settings-->', '')
        .replace('<!--head-->', () => head.join('\n    '))
        .replace('<!--frame-->', () => drawn.body)
        .replace('<!--scripts-->', () => scriptOf(subject, form))
    },
  }
}

/** The language in the query of a URL. */
export const namedLanguage = (url: string): Language | undefined => {
  const named = queryOf(url).get('lang')
  return LANGUAGES.find((language) => language === named)
}

/** A path with the query of a URL, without the language. */
export const withQuery = (path: string, url: string): string => {
  const query = queryOf(url)
  query.delete('lang')
  return query.size === 0 ? path : `${path}?${query.toString()}`
}
