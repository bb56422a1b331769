/** Pages of the operator; each page of the app links to those that are configured. */
export const LINKS = ['help', 'privacy', 'terms', 'imprint'] as const
export type Link = (typeof LINKS)[number]

/**
 * Settings for the browser. The server writes each as a `<meta name="voltleaf:NAME">` element into the page, so
 * that changing one needs no rebuild.
 */
export const WEB_SETTINGS = [
  'product-name',
  /** A URL, or the path of Home if the product has no website. */
  'product-website',
  /** The base path, such as `/ev`, or empty. */
  'base-path',
  /** Empty if usage analytics are off. */
  'analytics-host',
  'analytics-app-key',
  'app-version',
  /** Style of the street map, or `none`. */
  'map-style-url',
  /** `on`, or `off` if no geocoder is configured. */
  'address-search',
  /** The name of the sign-in provider; may be empty. */
  'provider-name',
  /** `on` if signing out also ends the session at the provider. */
  'provider-sign-out',
  /** Each is empty if there is no such page. */
  'help-url',
  'privacy-url',
  'terms-url',
  'imprint-url',
] as const

export type WebSetting = (typeof WEB_SETTINGS)[number]
export type WebSettings = Readonly<Record<WebSetting, string>>

/** The name of a setting's meta element. */
export const settingMetaName = (setting: WebSetting): string => `voltleaf:${setting}`
