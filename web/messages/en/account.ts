import { counts, lists, plurals } from '../format.ts'

const plural = plurals('en')
const number = counts('en')
const list = lists('en')
/** Returns an empty text for zero. */
const some: typeof plural = (many, forms) => (many === 0 ? '' : plural(many, forms))

/** The screens that emails link to, and the account card, in English. */
export default {
  account: {
    newPassword: 'New password',
    newPasswordFor: (email: string) => `For the account of ${email}.`,
    passwordHint: (min: number) => `At least ${min} characters. A short sentence works well.`,
    repeatPassword: 'Repeat the new password',
    savePassword: 'Set the password',
    saving: 'Setting the password…',
    passwordsDiffer: 'The passwords do not match',
    passwordSetTitle: 'Your new password is set',
    passwordSet: 'You have been signed out on all your devices.',
    signIn: 'Sign in',
    confirming: 'Confirming your address…',
    confirmingText:
      'This takes a moment. Keep this page open until your address is confirmed: the link works only once.',
    confirmedTitle: 'Your address is confirmed',
    confirmed: 'You can close this page.',
    dashboard: 'Go to the dashboard',
    expiredTitle: 'This link has expired',
    expired: 'Request a new email the same way as before, and open its link soon.',
    usedTitle: 'This link no longer works',
    usedForPassword:
      'Each link works once, and only until you set a new password. If you did not just set one, request a new email.',
    usedForAddress:
      'Each link works once. If you have already opened it, your address is confirmed.',
    brokenTitle: 'This link is incomplete',
    broken: 'Copy the whole address from the email, or open the link in the email itself.',
    failedTitle: 'That did not work',
  },
  accountCard: {
    noEmail: 'No email address: your sign-in provider has not confirmed one.',
    offline: 'You are offline. This needs a connection.',
    changesHint: 'Every change to your business, sites and prices.',
    everywhere: 'Log out everywhere',
    everywhereHint: 'Signs you out of every browser and app, including this one.',
    everywhereTitle: 'Log out everywhere?',
    everywhereText: 'You will have to sign in again on each device, including this one.',
    everywhereDone: 'You are logged out everywhere',
    download: 'Download my data',
    downloadHint: 'One ZIP file with all your data and photos.',
    downloadBegun: 'Your download has started',
    delete: 'Delete my account',
    deleteHint: 'Permanently deletes your account and everything in it.',
    deleteTitle: 'Delete your account?',
    deleteText: (owned: {
      readonly business: string
      readonly sites: number
      readonly connectors: number
      readonly photos: number
    }) => {
      const parts = [
        owned.business === '' ? 'your business' : `your business ${owned.business}`,
        some(owned.sites, { one: '1 site', other: `${number(owned.sites)} sites` }),
        some(owned.connectors, {
          one: '1 connector',
          other: `${number(owned.connectors)} connectors`,
        }),
        some(owned.photos, { one: '1 photo', other: `${number(owned.photos)} photos` }),
      ].filter((part) => part !== '')
      return `This deletes your account, along with ${list(parts)}. It cannot be undone.`
    },
    deleteNothing: 'This deletes your account. It cannot be undone.',
    /** Shown while the contents of the account are unknown. */
    deleteUnknown:
      'This deletes your account, your business and everything in it. It cannot be undone.',
    deleteProvider: 'Your account with the sign-in provider is not deleted.',
    /** Typed by users without an email address. */
    deleteWord: 'delete',
    deleteType: (wanted: string) => `To confirm, type:\n${wanted}`,
    deleteMistyped: 'That doesn’t match',
    deleteForGood: 'Delete for good',
    deleted: 'Your account and everything in it have been deleted.',
  },
  history: {
    of: (name: string) => `History of ${name}`,
    all: 'Show everything',
    none: 'No changes yet.',
    notLoaded: 'The history could not be loaded.',
    more: 'Show earlier changes',
    shown: (count: number) =>
      plural(count, { one: '1 change shown', other: `${number(count)} changes shown` }),
    kept: (years: number) =>
      plural(years, {
        one: 'Changes are kept for 1 year.',
        other: `Changes are kept for ${number(years)} years.`,
      }),
    administrator: 'An administrator',
    administratorFor: (who: string) => `An administrator, signed in as ${who},`,
    system: 'The system',
    unknownSite: 'a deleted site',
    unknownConnector: 'no details',
    image: 'image',
    business: {
      create: (who: string) => `${who} added the business`,
      update: (who: string) => `${who} changed the business details`,
      delete: (who: string) => `${who} deleted the business`,
    },
    site: {
      create: (who: string, name: string) => `${who} added ${name}`,
      update: (who: string, name: string) => `${who} changed ${name}`,
      delete: (who: string, name: string) => `${who} deleted ${name}`,
    },
    connector: {
      create: (who: string, what: string, name: string) =>
        `${who} added a connector to ${name} (${what})`,
      update: (who: string, what: string, name: string) =>
        `${who} changed a connector of ${name} (${what})`,
      delete: (who: string, what: string, name: string) =>
        `${who} removed a connector from ${name} (${what})`,
    },
    bulkUpdate: (who: string, what: string, where: string) => `${who} changed “${what}” ${where}`,
    ofSites: (count: number) =>
      plural(count, { one: 'of 1 site', other: `of ${number(count)} sites` }),
    showSites: 'Show the sites',
    imported: (who: string, changes: string) => `${who} ran an import: ${changes}`,
    importUndone: (who: string, changes: string) => `${who} undid an import: ${changes}`,
    changes: (count: number) =>
      plural(count, { one: '1 change', other: `${number(count)} changes` }),
    showImport: 'Show the import',
    showImportOf: (what: string) => `Show the import: ${what}`,
    showChanges: 'Show the changes',
    bulkTitle: (count: number) =>
      plural(count, {
        one: 'Restore the previous values of 1 site?',
        other: `Restore the previous values of ${number(count)} sites?`,
      }),
    bulkText: 'Sites that have changed since then stay as they are.',
    bulkNothing: 'None of these sites has that value any more.',
    before: 'before:',
    after: 'after:',
    filledIn: '(from the position)',
    photo: (position: number, shows: string) => `Photo ${number(position)}: ${shows}`,
    formerPhoto: (shows: string) => `Deleted photo: ${shows}`,
    filesStay: 'Deleted images cannot be restored.',
    putBack: 'Restore',
    putBackOf: (what: string) => `Restore: ${what}`,
    done: 'Restored.',
    failed: 'This could not be restored.',
    restoreTitle: (name: string) => `Restore ${name}?`,
    restore: 'The site comes back with its details and connectors, but without its photos.',
    conflictTitle: 'This has changed since then',
    conflict: (label: string, now: string, former: string) =>
      `${label}: ${now} now. Restoring sets it to ${former}.`,
  },
}
