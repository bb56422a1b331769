/** Local storage: whether somebody agreed to usage analytics on this device, `yes` or `no`. */
export const CONSENT_KEY = 'analytics-consent'

/** Session storage: the app could not be loaded; set only where somebody has agreed. */
export const FAILED_START_KEY = 'failed-start'
