import type { CurrentType, Format, Standard } from '#domain/connector.ts'
import type { SiteStatus } from '#domain/site-values.ts'
import { counts, plurals } from '../format.ts'

const plural = plurals('en')
const number = counts('en')

/** The guest screens and the terms shared by all screens, in English. */
export default {
  // Core
  titles: {
    home: (product: string) => `Add a charging station to ${product}`,
    login: (product: string) => `Login with ${product}`,
    dashboard: 'Dashboard',
    map: 'Find a charger',
    addSite: 'Add a new site',
    editSite: 'Edit site details',
    addBusiness: 'Add your business details',
    editBusiness: 'Edit your business details',
    newPassword: 'Set a new password',
    confirmAddress: 'Confirm your address',
    account: 'Your account',
    prices: 'Prices',
    addPrice: 'Add a price',
    editPrice: 'Edit price',
    changes: 'History',
    report: 'Report a problem',
    reports: 'Reports from travellers',
    open: 'Open data',
    import: 'Import sites',
    notFound: 'Page not found',
  },
  shell: {
    skip: 'Skip to content',
    website: (product: string) => `${product} website (opens in a new tab)`,
    back: 'Back',
    login: 'login',
    logout: 'Log out',
    account: 'Signed in',
    scrollToTop: 'Scroll to top',
    offline: 'You are offline.',
    keptOffline: 'Changes are kept on this device and sent once you reconnect.',
    newVersion: 'A new version is ready.',
    language: 'Language',
    shortcuts: 'Keyboard shortcuts',
    notifications: 'Messages',
    loading: 'Loading…',
    unsentTitle: 'Log out anyway?',
    unsent: (count: number) =>
      plural(count, {
        one: '1 change has not reached the server yet. Logging out deletes it from this device.',
        other: `${number(count)} changes have not reached the server yet. Logging out deletes them from this device.`,
      }),
    lostDrafts: (count: number) =>
      plural(count, {
        one: 'What you typed in 1 form is kept on this device only. Logging out deletes it.',
        other: `What you typed in ${number(count)} forms is kept on this device only. Logging out deletes it.`,
      }),
    stay: 'Stay signed in',
    expiredTitle: 'You have been signed out',
    expired:
      'Your session has ended. Sign in again in a new tab, then come back here. Nothing you typed is lost.',
    signInAgain: 'Sign in again',
    close: 'Close',
    deleted: (name: string) => `${name} deleted`,
  },
  links: { help: 'Help', privacy: 'Privacy', terms: 'Terms', imprint: 'Legal notice' },
  crash: {
    title: 'Something went wrong on this page',
    text: 'Reloading usually helps.',
    reload: 'Reload',
    dashboard: 'Back to the dashboard',
    missing: 'This part of the page could not be loaded.',
    offline: 'This page has not been loaded yet. It opens as soon as you are connected again.',
  },
  notFound: {
    title: 'This page does not exist',
    text: 'The address may be mistyped, or the page may have moved.',
    dashboard: 'Go to the dashboard',
  },
  actions: {
    retry: 'Try again',
    cancel: 'Cancel',
    undo: 'Undo',
    edit: 'Edit',
    delete: 'Delete',
    dismiss: 'Dismiss',
  },
  about: (label: string, what: string) => `${label}: ${what}`,
  problems: {
    offline: 'There is no connection to the server.',
    signedOut: 'Your session has ended.',
    notFound: 'This was deleted.',
    timeout: 'The server is not responding.',
    invalid: 'Some details were not accepted.',
    conflict: 'This was changed on another device in the meantime.',
    tooMany: 'Too many requests. Wait a moment.',
    tooLarge: 'These files are too large in total.',
    unavailable: 'The server cannot be reached right now.',
    provider: 'The sign-in provider cannot be reached right now.',
    cancelled: 'This was cancelled.',
    mismatch: 'This sign-in was not started in this browser.',
    clock: 'The date or time of this device is wrong.',
    storage: 'This browser stores no data for this website.',
    unexpected: 'Something went wrong while processing your request.',
  },
  failed: {
    signIn: 'You could not be signed in.',
    load: 'Your sites could not be loaded.',
    updateUser: 'Your details could not be updated.',
    createBusiness: 'Your business was not saved.',
    updateBusiness: 'Your business was not saved.',
    createSite: 'The site was not saved.',
    updateSite: 'The site was not saved.',
    updateSites: 'The sites were not changed.',
    savePhotos: 'Some photos were not saved.',
    orderPhotos: 'The order of the photos was not saved.',
    removePhoto: 'The photo was not removed.',
    deleteSite: 'The site could not be deleted. It is back in your list.',
    saveConnectors: 'Some connectors were not saved.',
    createRecord: 'Your entry was not saved.',
    updateRecord: 'Your entry was not saved.',
    removeRecord: 'The entry could not be deleted.',
    endSessions: 'You are still signed in everywhere.',
    exportData: 'Your data could not be prepared for download.',
    deleteAccount: 'Your account was not deleted.',
  },

  // Terms
  facts: {
    connectors: (count: number) =>
      plural(count, { one: '1 connector', other: `${number(count)} connectors` }),
    power: (kw: string) => `${kw} kW`,
    capacity: (count: number) =>
      plural(count, { one: '1 car at a time', other: `${number(count)} cars at a time` }),
    times: (count: number) => `${count} ×`,
  },
  status: {
    AVAILABLE: 'Open',
    PLANNED: 'Coming soon',
    INOPERATIVE: 'Temporarily closed',
    OUTOFORDER: 'Out of order',
    REMOVED: 'Closed for good',
    UNKNOWN: 'Not known',
    BLOCKED: 'Blocked',
    CHARGING: 'In use',
    RESERVED: 'Reserved',
  } satisfies Record<SiteStatus, string>,
  formatShort: { SOCKET: 'socket', CABLE: 'cable' } satisfies Record<Format, string>,
  currentShort: {
    AC_1_PHASE: 'AC 1-phase',
    AC_2_PHASE: 'AC 2-phase',
    AC_2_PHASE_SPLIT: 'AC split phase',
    AC_3_PHASE: 'AC 3-phase',
    DC: 'DC',
  } satisfies Record<CurrentType, string>,
  /** Plugs whose everyday name is translated. */
  standard: {
    IEC_62196_T1: 'Type 1 (J1772)',
    IEC_62196_T2: 'Type 2 (Mennekes)',
    IEC_62196_T3A: 'Type 3A',
    IEC_62196_T3C: 'Type 3C (Scame)',
  } satisfies Partial<Record<Standard, string>>,

  // Login
  login: {
    heading: 'Welcome',
    text: 'You will be sent to your sign-in provider and come back here.',
    button: (provider: string) =>
      provider === '' ? 'Continue with single sign-on' : `Continue with ${provider}`,
    leaving: 'Taking you to your sign-in provider…',
    finishing: 'Signing you in…',
    offline: 'You are offline. Signing in needs a connection.',
    required: 'Sign in to open that page. We will take you there afterwards.',
    againTitle: 'You are signed in again',
    again: 'Go back to the other tab: everything you typed is still there. You can close this one.',
    failed: 'The sign-in did not work. Please try again.',
  },
}
