import type { WebSettings } from '#domain/settings.ts'

import type { Config } from '../config.ts'

/** The settings of the installation that pages receive. */
export const webSettingsOf = (config: Config): WebSettings => ({
  'product-name': config.productName,
  'product-website': websiteOf(config),
  'base-path': config.basePath,
  'analytics-host': config.analyticsHost,
  'analytics-app-key': config.analyticsAppKey,
  'app-version': config.appVersion,
  'map-style-url': config.mapStyleUrl,
  'address-search': config.geocoderUrl === 'none' ? 'off' : 'on',
  'provider-name': config.oidc?.name ?? '',
  'provider-sign-out': config.oidc?.signOut === true ? 'on' : 'off',
  'help-url': config.links.help,
  'privacy-url': config.links.privacy,
  'terms-url': config.links.terms,
  'imprint-url': config.links.imprint,
})

/** Without a configured website of the product, links lead to Home. */
export const websiteOf = ({ productWebsite, basePath }: Config): string =>
  productWebsite || `${basePath}/`
