import { COLUMN_TARGETS } from '#domain/import-source.ts'
import { IMPORT_API } from '#domain/import-paths.ts'
import {
  FEED_ACTIONS,
  feeds,
  importRows,
  imports,
  MISSING_CHOICES,
  ROW_ACTIONS,
} from '#domain/import.ts'
import { REPAIR_RULES } from '#domain/repair.ts'

import {
  ID,
  KEY,
  OPTIONAL_ID,
  type Schema,
  answers,
  bodyOf,
  bool,
  inPath,
  object,
  ok,
  ref,
  strings,
  text,
} from './components.ts'
import { schemaName } from './record-schemas.ts'

const oneImport = ok('The import.', ref(schemaName(imports)))
const oneFeed = ok('The feed.', ref(schemaName(feeds)))

/** A request without a body, answered with the import. */
const importAction = (tag: string, operationId: string, summary: string): Schema => ({
  parameters: [inPath('id', ID)],
  post: { tags: [tag], operationId, summary, ...answers(oneImport, 401, 403, 404, 409) },
})

/** Answers to the questions of an import (`ImportRow`, `questions`). */
const ANSWERS: Schema = {
  type: 'object',
  propertyNames: { enum: Object.keys(REPAIR_RULES) },
  additionalProperties: bool,
}

/** What an import is read from, other than a file. */
const SOURCE: Schema = {
  text,
  url: text,
  token: { ...text, description: 'The token for `url`; never returned.' },
}

/** Creation of imports and feeds, and decisions about them. */
export const importPaths: Schema = {
  [IMPORT_API.imports]: {
    post: {
      tags: [imports.name],
      operationId: 'takeImport',
      summary:
        'Create an import from a file, a text or an address; it is read and planned in the background',
      parameters: [KEY],
      ...bodyOf(object(SOURCE, []), {
        form: object({ file: { type: 'string', format: 'binary' }, ...SOURCE }, []),
        required: true,
      }),
      ...answers(oneImport, 400, 401, 403, 413, 422),
    },
  },
  [IMPORT_API.import('{id}')]: {
    parameters: [inPath('id', ID)],
    patch: {
      tags: [imports.name],
      operationId: 'changeImport',
      summary:
        'Choose what happens to missing sites, include or leave out rows, and answer all questions of a rule',
      ...bodyOf(
        object(
          {
            answers: { ...ANSWERS, description: 'By rule, for all open questions.' },
            missing: { enum: [...MISSING_CHOICES] },
            included: bool,
            where: object(
              {
                action: { enum: [...ROW_ACTIONS] },
                doubtful: bool,
                repaired: bool,
                included: bool,
                name: text,
              },
              [],
            ),
          },
          [],
        ),
      ),
      ...answers(oneImport, 400, 401, 403, 404, 409),
    },
  },
  [IMPORT_API.importRow('{id}', '{number}')]: {
    parameters: [inPath('id', ID), inPath('number', { type: 'integer' })],
    patch: {
      tags: [importRows.name],
      operationId: 'changeImportRow',
      summary:
        'Decide about one row of a plan: its site, the answers to its questions, whether it is included',
      ...bodyOf(
        object(
          {
            included: bool,
            site: { ...OPTIONAL_ID, description: 'Empty for a new site.' },
            answers: { ...ANSWERS, description: 'By rule.' },
          },
          [],
        ),
      ),
      ...answers(ok('The row.', ref(schemaName(importRows))), 400, 401, 403, 404, 409),
    },
  },
  [IMPORT_API.importMapping('{id}')]: {
    parameters: [inPath('id', ID)],
    post: {
      tags: [imports.name],
      operationId: 'mapImport',
      summary: 'Set the meaning of the columns of a table, in order, and read the table again',
      ...bodyOf(
        object({
          mapping: { type: 'array', minItems: 1, items: { enum: ['', ...COLUMN_TARGETS] } },
        }),
      ),
      ...answers(oneImport, 400, 401, 403, 404, 409),
    },
  },
  [IMPORT_API.feeds]: {
    post: {
      tags: [feeds.name],
      operationId: 'createFeed',
      summary:
        'Create a feed: an address that is read every night; the first plan waits for review',
      parameters: [KEY],
      ...bodyOf(
        object(
          {
            name: text,
            url: text,
            token: { ...text, description: 'Never returned.' },
            missing: { enum: [...MISSING_CHOICES] },
            apply: { type: 'array', items: { enum: [...FEED_ACTIONS] } },
          },
          ['url'],
        ),
      ),
      ...answers(oneFeed, 400, 401, 403, 422),
    },
  },
  [IMPORT_API.feedToken('{id}')]: {
    parameters: [inPath('id', ID)],
    put: {
      tags: [feeds.name],
      operationId: 'setFeedToken',
      summary: 'Replace the token of a feed; an empty one removes it',
      ...bodyOf(strings('token')),
      ...answers(oneFeed, 400, 401, 403, 404),
    },
  },
  [IMPORT_API.feedRead('{id}')]: importAction(
    feeds.name,
    'readFeed',
    'Read a feed now; the plan waits for review',
  ),
  [IMPORT_API.importRun('{id}')]: importAction(
    imports.name,
    'runImport',
    'Start to apply a plan, in batches that are each applied completely or not at all',
  ),
  [IMPORT_API.importUndo('{id}')]: importAction(
    imports.name,
    'undoImport',
    'Start to undo a run, record by record; anything changed since is left alone',
  ),
}
