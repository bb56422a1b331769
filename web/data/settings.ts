import { settingMetaName, WEB_SETTINGS, type WebSettings } from '#domain/settings.ts'

/** Reads the settings that the server wrote into the page; a missing one is empty. */
export const readSettings = (page: ParentNode): WebSettings =>
  Object.fromEntries(
    WEB_SETTINGS.map((setting) => [
      setting,
      page.querySelector<HTMLMetaElement>(`meta[name="${settingMetaName(setting)}"]`)?.content ??
        '',
    ]),
  ) as WebSettings

/** Are usage analytics configured? The server sees to it that they are whole, or not there. */
export const hasAnalytics = (settings: WebSettings): boolean => settings['analytics-host'] !== ''
