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
    passwordsDiffer: 'The two passwords differ',
    passwordSetTitle: 'Your new password is set',
    passwordSet: 'All devices that were signed in have been signed out.',
    signIn: 'Go to the sign-in',
    confirming: 'Confirming your address…',
    confirmingText:
      'This takes a moment. Please keep this page open until it says that it is done: each link works only once.',
    confirmedTitle: 'Your address is confirmed',
    confirmed: 'You can close this page.',
    dashboard: 'Go to the dashboard',
    expiredTitle: 'This link has expired',
    expired: 'Ask for a new email where you asked for this one, and open its link soon.',
    usedTitle: 'This link no longer works',
    usedForPassword:
      'Each link works once, and stops working once you set a newer password. If you have not just set one yourself, ask for a new email.',
    usedForAddress:
      'Each link works once. If you have opened it before, your address is confirmed.',
    brokenTitle: 'This link is not complete',
    broken: 'Copy the whole address from the email, or open the link in the email itself.',
    failedTitle: 'That did not work',
  },
  accountCard: {
    noEmail: 'No email address: your sign-in provider has not confirmed one.',
    offline: 'You are offline. This needs a connection.',
    everywhere: 'Log out everywhere',
    everywhereHint: 'Signs you out of every browser and app, including this one.',
    everywhereTitle: 'Log out everywhere?',
    everywhereText: 'You will have to sign in again on each device, including this one.',
    everywhereDone: 'You are logged out everywhere',
    download: 'Download my data',
    downloadHint: 'One ZIP file with your business, sites, connectors and all photos.',
    downloadBegun: 'The download has begun',
    delete: 'Delete my account',
    deleteHint: 'Removes your account and everything in it, for good.',
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
      return `This deletes your account and with it ${list(parts)}. It cannot be undone.`
    },
    deleteNothing: 'This deletes your account. It cannot be undone.',
    /** Shown while the contents of the account are unknown. */
    deleteUnknown:
      'This deletes your account with your business and everything in it. It cannot be undone.',
    deleteProvider: 'Your account with the sign-in provider stays.',
    /** Typed by users without an email address. */
    deleteWord: 'delete',
    deleteType: (wanted: string) => `To confirm, type: ${wanted}`,
    deleteMistyped: 'That doesn’t match',
    deleteForGood: 'Delete for good',
    deleted: 'Your account and everything in it are deleted.',
  },
  history: {
    of: (name: string) => `History of ${name}`,
    all: 'Show everything',
    none: 'Nothing has been changed yet.',
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
        one: 'Put back the former values of 1 site?',
        other: `Put back the former values of ${number(count)} sites?`,
      }),
    bulkText: 'Sites that have changed again since stay as they are.',
    bulkNothing: 'None of these sites has that value any more.',
    before: 'before:',
    after: 'after:',
    filledIn: '(from the position)',
    photo: (position: number, shows: string) => `Photo ${number(position)}: ${shows}`,
    formerPhoto: (shows: string) => `Deleted photo: ${shows}`,
    filesStay: 'Removed images are gone and cannot be put back.',
    putBack: 'Put back',
    putBackOf: (what: string) => `Put back: ${what}`,
    done: 'Put back.',
    failed: 'This could not be put back.',
    restoreTitle: (name: string) => `Put ${name} back?`,
    restore: 'The site returns with its details and connectors. Its photos are gone for good.',
    conflictTitle: 'This has changed again since',
    conflict: (label: string, now: string, former: string) =>
      `${label}: ${now} now. Putting it back makes it ${former}.`,
  },
}
