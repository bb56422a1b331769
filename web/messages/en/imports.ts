import type {
  ImportState,
  MatchedBy,
  PlanProblemCode,
  RowAction,
  RowState,
} from '#domain/import.ts'
import { PLAN_PROBLEMS } from '#domain/import.ts'
import { IMPORT_PROBLEMS, REPAIR_RULES, type ProblemCode, type RuleName } from '#domain/repair.ts'
import { counts, plurals } from '../format.ts'

const plural = plurals('en')
const number = counts('en')
const sites = (count: number) => plural(count, { one: '1 site', other: `${number(count)} sites` })

/** Imports and feeds, in English. */
export default {
  imports: {
    // Start
    lead: 'Add or update many sites at once. Nothing is saved until you confirm the preview, and you can undo a whole import.',
    formats:
      'OCPI, OICP, IRVE (France), NOBIL, Open Charge Map, GeoJSON, DATEX II, OpenStreetMap, our own exports, and any CSV, Excel, OpenDocument or JSON table. Compressed files work too.',
    from: 'Import from',
    ways: { file: 'File', text: 'Text', url: 'Web address' },
    drop: 'Drop a file here',
    choose: 'Choose a file',
    or: 'or',
    tooLarge: (max: string) => `This file is larger than ${max}.`,
    text: 'Text',
    textHint: 'Paste table rows or JSON.',
    url: 'Web address',
    urlHint: 'A file or an OCPI feed, such as https://example.com/ocpi/versions',
    urlMissing: 'Enter an address that begins with https:// or http://',
    textMissing: 'Paste some text first.',
    token: 'Token',
    tokenHint: 'If the address needs one. It is not shown again.',
    begin: 'Read it',
    sending: (percent: string) => `Sending: ${percent}`,
    notSent: 'This could not be sent',
    tooManyOpen: (max: number) =>
      `${number(max)} imports are still open. Run or discard one of them below, then try again.`,
    nothingLost: 'What you chose is still here. Nothing was changed.',
    needsBusiness: 'Add your business first: imported sites belong to it.',

    // Reading
    reading: 'Reading…',
    found: (count: number) => `${sites(count)} so far`,
    canLeave: 'You can close this page. The import continues, and you will find it here.',
    cancelTitle: 'Discard this import?',
    cancelText: 'The preview is deleted. Your sites stay as they are.',
    discard: 'Discard',
    notLoaded: 'This import could not be loaded',
    listNotLoaded: 'Your imports could not be loaded',
    gone: 'This import does not exist',
    goneText: (days: number) =>
      `It may have been discarded, or be older than ${number(days)} days.`,
    back: 'All imports',
    updatingFailed: 'No connection at the moment. The import continues on the server.',

    // Columns
    mappingTitle: 'What do the columns mean?',
    mappingText:
      'We matched the columns that we recognised. Choose what each one contains. Columns left out are not read.',
    column: (heading: string) => `Column “${heading}”`,
    noHeading: (position: number) => `Column ${number(position)}`,
    leaveOut: '(leave out)',
    groups: { site: 'Site', connector: 'Connector', other: 'Other' },
    extras: {
      position: 'Latitude and longitude together',
      quantity: 'Number of identical connectors',
      plugs_in_heading: 'Number of connectors of the type in the heading',
      tariff: 'Price in our own export',
      own_id: 'ID in our own export',
    },
    twice: (label: string) => `Another column is already read as “${label}”.`,
    examples: 'Values',
    previewTitle: 'How it will be read',
    previewNothing: 'Choose what at least one column contains.',
    mapped: (some: number, all: number) => `${number(some)} of ${number(all)} columns are read`,
    readNow: 'Read the table',
    columnsRead: 'All columns of the table are read',
    columnsUnread: (count: number) =>
      plural(count, {
        one: '1 column of the table is not read',
        other: `${number(count)} columns of the table are not read`,
      }),
    chooseColumns: 'Choose columns',

    // Plan
    planTitle: (source: string) => `Preview of ${source}`,
    planText: 'Nothing has been saved yet.',
    actions: {
      NEW: 'New',
      CHANGED: 'Changed',
      UNCHANGED: 'Unchanged',
      MISSING: 'Not in the file',
      REFUSED: 'Cannot be imported',
    } satisfies Record<RowAction, string>,
    states: {
      PENDING: 'Waiting',
      APPLIED: 'Imported',
      FAILED: 'Failed',
      SKIPPED: 'Skipped',
      UNDONE: 'Undone',
      KEPT: 'Kept',
    } satisfies Record<RowState, string>,
    importStates: {
      READING: 'Reading',
      MAPPING: 'Waiting for you: columns',
      PLANNED: 'Waiting for you: preview',
      RUNNING: 'Importing',
      DONE: 'Imported',
      UNDOING: 'Undoing',
      UNDONE: 'Undone',
      FAILED: 'Failed',
    } satisfies Record<ImportState, string>,
    all: 'All',
    repaired: 'Corrected',
    questions: 'Questions',
    doubtful: 'Which site?',
    leftOut: 'Left out',
    filter: 'Filter the preview',
    search: 'Find by name or ID',
    noRows: 'Nothing matches.',
    moreRows: 'Show more',
    rowsNotLoaded: 'The rows could not be loaded.',
    nothingToDo: 'Nothing to do',
    nothingToDoText: 'Your sites already match this file.',
    takeAllIn: 'Include all of these',
    leaveAllOut: 'Leave all of these out',
    takeIn: (name: string) => `Import ${name}`,
    changes: (count: number) =>
      plural(count, { one: '1 change', other: `${number(count)} changes` }),
    repairs: (count: number) =>
      plural(count, { one: '1 correction', other: `${number(count)} corrections` }),
    openQuestions: (count: number) =>
      plural(count, { one: '1 question', other: `${number(count)} questions` }),
    missingTitle: (count: number) =>
      plural(count, {
        one: '1 of your sites is not in this file',
        other: `${number(count)} of your sites are not in this file`,
      }),
    missingConnectors: (count: number) =>
      plural(count, {
        one: '1 connector of your sites is not in this file',
        other: `${number(count)} connectors of your sites are not in this file`,
      }),
    keepMissing: 'Keep them as they are',
    removeMissing: {
      sites: 'Mark them as closed for good',
      connectors: 'Delete them',
      both: 'Mark the sites as closed for good, and delete the connectors',
    },
    waitingAnswers: (count: number) =>
      plural(count, {
        one: '1 site needs an answer',
        other: `${number(count)} sites need an answer`,
      }),
    waitingText:
      'If you do not answer, a site is imported as it is in the file, or left out if that is not possible.',
    showThem: 'Show',
    refusedTitle: (count: number) =>
      plural(count, {
        one: '1 entry cannot be imported',
        other: `${number(count)} entries cannot be imported`,
      }),
    refusedText: 'Each one shows the reason. Correct the file and import it again at any time.',
    allRefused: 'Nothing in this file can be imported',
    run: (count: number) => `Import ${sites(count)}`,
    close: (count: number) => `Close ${sites(count)}`,
    runNone: 'Import none of these',

    // Row
    line: (line: string) => `line ${line}`,
    entry: (position: string) => `entry ${position}`,
    plugs: (count: number) =>
      plural(count, { one: '1 connector', other: `${number(count)} connectors` }),
    unnamed: 'Without a name',
    before: 'before',
    after: 'after',
    nothing: 'empty',
    notImported: 'not imported',
    connector: (position: number) => `Connector ${number(position)}`,
    wholeConnector: 'Connector',
    newSite: 'All new:',
    changesTitle: 'Changes',
    repairsTitle: 'Corrected',
    questionsTitle: 'Please check',
    yes: 'Yes, correct it',
    no: 'No, leave it as it is',
    sameForAll: 'Use this answer for all sites with this question',
    answered: 'All of these questions are answered.',
    needsAnswer: 'Needs an answer',
    matched: {
      REFERENCE: 'Found by its ID',
      POSITION: 'Found at the same point',
      NEAR: 'Found within 25 m',
      NAME: 'Found nearby by its name',
      FEED: 'Recognised from the last time the feed was read',
      CHOICE: 'You chose this',
    } satisfies Record<MatchedBy, string>,
    whichTitle: 'Is this one of your sites?',
    isNew: 'No, it is a new site',
    away: (distance: string) => `${distance} away`,
    othersTitle: 'A site of another business is nearby',
    otherAt: (name: string, business: string, distance: string) =>
      `${name} (${business}), ${distance} away`,
    toSite: (name: string) => `Open ${name}`,
    notChanged: 'This was not changed',

    // Run and outcome
    running: 'Importing…',
    undoing: 'Undoing…',
    progress: (done: number, total: number) => `${number(done)} of ${sites(total)}`,
    doneTitle: (count: number) => `${sites(count)} imported`,
    closedTitle: (count: number) => `${sites(count)} closed`,
    doneNothing: 'Nothing was changed',
    doneSome: (failed: number) =>
      plural(failed, {
        one: '1 site could not be saved. The list below shows the reason.',
        other: `${number(failed)} sites could not be saved. The list below shows the reasons.`,
      }),
    triedAgain:
      'We try again every night. New sites that you imported yourself are tried again only once they change in the feed.',
    skipped: (count: number) =>
      plural(count, {
        one: '1 site was skipped because it was changed or deleted after the preview',
        other: `${number(count)} sites were skipped because they were changed or deleted after the preview`,
      }),
    unanswered: (count: number) =>
      plural(count, {
        one: '1 site was left out because it needs an answer. Import the file again to give one.',
        other: `${number(count)} sites were left out because they need an answer. Import the file again to give one.`,
      }),
    report: 'Download the report',
    reportName: (day: string) => `import-${day}.csv`,
    reportColumns: {
      position: 'Position in the file',
      action: 'Preview',
      result: 'Result',
      reason: 'Reason',
      match: 'Match',
    },
    excluded: 'Left out',
    undo: 'Undo this import',
    undoTitle: 'Undo this import?',
    undoText:
      'New sites are deleted, and changed sites get their previous values back. Anything changed since the import stays as it is.',
    undoneTitle: 'The import was undone',
    kept: (count: number) =>
      plural(count, {
        one: '1 site was changed after the import and stays as it is',
        other: `${number(count)} sites were changed after the import and stay as they are`,
      }),
    failedTitle: 'This could not be imported',
    again: 'Import another file',
    dashboard: 'Your sites',

    // Former imports
    formerTitle: 'Your imports',
    none: 'No imports yet.',
    pasted: 'Pasted text',
    ofFeed: 'Feed',
    open: (source: string) => `Open the import of ${source}`,
    what: {
      NEW: (count: number) => `${number(count)} new`,
      CHANGED: (count: number) => `${number(count)} changed`,
      REFUSED: (count: number) => `${number(count)} refused`,
    },
    keptFor: (days: number) => `Imports are kept for ${number(days)} days.`,

    // Feeds
    feedsTitle: 'Feeds',
    feedsText:
      'A feed is an address that we read every night. Changes are applied automatically, following the rules that you set.',
    addFeed: 'Add a feed',
    feedName: 'Name',
    feedNameHint: 'To help you recognise it',
    feedAdded: 'Feed added. We are reading it now.',
    feedRules: 'Automatically',
    feedRulesHint:
      'Everything else waits for your review, and we email you. What you change stays that way until the feed itself changes it. What you delete or leave out stays out.',
    feedApply: {
      NEW: 'Add new sites',
      CHANGED: 'Change sites',
      MISSING: 'Mark sites that are no longer in the feed as closed',
    },
    feedStates: {
      OK: 'Working',
      NEEDS_REVIEW: 'Waiting for you',
      FAILING: 'Could not be read',
      DEAD: 'Unreadable for a long time',
    },
    feedPaused: 'Paused',
    lastRead: (when: string) => `read ${when}`,
    neverRead: 'not read yet',
    lastChanged: (when: string) => `new content ${when}`,
    readFeed: 'Read now',
    pause: 'Pause',
    resume: 'Resume',
    removeFeed: 'Remove',
    removeFeedTitle: (name: string) => `Remove the feed ${name}?`,
    removeFeedText: 'We stop reading it. The sites that came from it stay.',
    newToken: 'New token',
    saveToken: 'Save token',
    tokenSaved: 'The token was saved.',
    review: 'View the preview',
    settings: 'Settings',
    feedFor: (action: string, name: string) => `${action}: ${name}`,
    feedNotSaved: 'The feed was not saved',

    rules: REPAIR_RULES as Readonly<Record<RuleName, string>>,
    problems: { ...IMPORT_PROBLEMS, ...PLAN_PROBLEMS } as Readonly<
      Record<ProblemCode | PlanProblemCode, string>
    >,
  },
}
