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
