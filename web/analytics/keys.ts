/** Local storage key of the answer to usage analytics on this device, `yes` or `no`. */
export const CONSENT_KEY = 'analytics-consent'

/** Session storage key set after the app failed to load; only with consent. */
export const FAILED_START_KEY = 'failed-start'
