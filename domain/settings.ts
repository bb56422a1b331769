/** Pages of whoever runs an installation, which every page of it leads to where they are set. */
export const LINKS = ['help', 'privacy', 'terms', 'imprint'] as const
export type Link = (typeof LINKS)[number]

/**
 * Settings that the browser needs. The server writes each as a `<meta name="voltleaf:NAME">`
 * element into the page when it serves it, so that changing one needs no rebuild.
 */
export const WEB_SETTINGS = [
  'product-name',
  /** An address, or the path of Home where the product has no website. */
  'product-website',
  /** Path below which the installation lives: empty, or `/ev`. */
  'base-path',
  /** Empty when usage analytics are off. */
  'analytics-host',
  'analytics-app-key',
  'app-version',
  /** Style of the street map, or `none`. */
  'map-style-url',
  /** `on`, or `off` where no geocoder is configured. */
  'address-search',
  /** What people call the sign-in provider; may be empty. */
  'provider-name',
  /** `on` where logging out goes on to the provider. */
  'provider-sign-out',
  /** Each empty where there is no such page. */
  'help-url',
  'privacy-url',
  'terms-url',
  'imprint-url',
] as const

export type WebSetting = (typeof WEB_SETTINGS)[number]
export type WebSettings = Readonly<Record<WebSetting, string>>

/** Name of the meta element that carries a setting. */
export const settingMetaName = (setting: WebSetting): string => `voltleaf:${setting}`
