import { settingMetaName, WEB_SETTINGS, type WebSettings } from '#domain/settings.ts'

/** Reads the settings that the server wrote into the page; a missing setting is empty. */
export const readSettings = (page: ParentNode): WebSettings =>
  Object.fromEntries(
    WEB_SETTINGS.map((setting) => [
      setting,
      page.querySelector<HTMLMetaElement>(`meta[name="${settingMetaName(setting)}"]`)?.content ??
        '',
    ]),
  ) as WebSettings

/** Returns whether usage analytics are configured. The server ensures that they are complete or absent. */
export const hasAnalytics = (settings: WebSettings): boolean => settings['analytics-host'] !== ''
