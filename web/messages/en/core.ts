import { counts, plurals } from '../format.ts'

const plural = plurals('en')
const number = counts('en')

/** What every screen may need, in English. */
export default {
  titles: {
    home: (product: string) => `Add a charging station to ${product}`,
    login: (product: string) => `Login with ${product}`,
    dashboard: 'Dashboard',
    addSite: 'Add a new site',
    editSite: 'Edit site details',
    addBusiness: 'Add your business details',
    editBusiness: 'Edit your business details',
    newPassword: 'Set a new password',
    confirmAddress: 'Confirm your address',
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
    offline: 'You are offline. What you save is kept on this device and sent when you are back.',
    newVersion: 'A new version is ready.',
    language: 'Language',
    shortcuts: 'Keyboard shortcuts',
    notifications: 'Messages',
    loading: 'Loading…',
    unsentTitle: 'Log out anyway?',
    unsent: (count: number) =>
      plural(count, {
        one: '1 change has not reached the server yet. Logging out now may lose it.',
        other: `${number(count)} changes have not reached the server yet. Logging out now may lose them.`,
      }),
    lostDrafts: (count: number) =>
      plural(count, {
        one: 'What you typed in 1 form is kept on this device only. Logging out deletes it.',
        other: `What you typed in ${number(count)} forms is kept on this device only. Logging out deletes it.`,
      }),
    stay: 'Stay signed in',
    expiredTitle: 'You have been signed out',
    expired:
      'Your sign-in has run out. Open the sign-in in a new tab and come back: what you typed here stays.',
    signInAgain: 'Sign in again',
    close: 'Close',
    deleted: (name: string) => `${name} deleted`,
  },
  crash: {
    title: 'Something went wrong on this page',
    text: 'The problem was noted. Reloading usually helps.',
    reload: 'Reload',
    missing: 'This part of the page could not be fetched.',
  },
  notFound: {
    title: 'This page does not exist',
    text: 'The address may be mistyped, or the page has moved.',
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
  problems: {
    offline: 'You are offline.',
    signedOut: 'Your sign-in has run out.',
    notFound: 'It no longer exists.',
    invalid: 'Some details were not accepted.',
    conflict: 'It was changed somewhere else in the meantime.',
    tooMany: 'Too many requests at once. Wait a moment.',
    tooLarge: 'The files are too large together.',
    unavailable: 'The server cannot be reached right now.',
    provider: 'The sign-in provider cannot be reached right now.',
    cancelled: 'It was cancelled.',
    mismatch: 'The sign-in does not belong to this browser.',
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
    savePhotos: 'Some photos were not saved.',
    orderPhotos: 'The order of the photos was not saved.',
    removePhoto: 'The photo was not removed.',
    deleteSite: 'The site could not be deleted. It is back in your list.',
    saveConnectors: 'Some connectors were not saved.',
    endSessions: 'You are still signed in everywhere.',
    exportData: 'Your data could not be gathered.',
    deleteAccount: 'Your account was not deleted.',
  },
}
