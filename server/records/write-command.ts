import { ID_LENGTH, isId, type LinkedCollection } from '#domain/collection.ts'
import { ApiError } from '#domain/error.ts'
import { readId } from '#domain/schema.ts'

import type { Caller } from '../caller.ts'
import { demandAccess } from './access.ts'
import { firstErrors, type ReadPassword } from '../auth/auth.ts'
import { randomText } from '../db/random.ts'
import type { Submission } from '../http/body.ts'
import type { Runner } from '../db/sql.ts'
import { fillIn } from './filled-in.ts'
import { readChanges, type Row } from './values.ts'
import type { Reply, PreparedWrite } from './commit.ts'
import { get, type View } from './read.ts'
import {
  fileColumns,
  keyedColumns,
  NO_UPLOADS,
  removeAll,
  storeUploads,
  type FilePlaces,
} from './uploads.ts'
import {
  asFieldError,
  change,
  checkRelations,
  insert,
  lock,
  matches,
  refuse,
  remove,
  removesMany,
} from './write.ts'

/** The write of one record that a caller requests. */
export type WriteCommand =
  | (Submitted & { readonly action: 'create' })
  | (Submitted & {
      /** Updates the record with the submitted id, and creates it if there is none. */
      readonly action: 'upsert'
      readonly ifMatch: IfMatch
    })
  | (Submitted & {
      readonly action: 'update'
      readonly id: string
      readonly ifMatch: IfMatch
    })
  | Removal

interface Removal {
  readonly action: 'remove'
  readonly collection: LinkedCollection
  readonly id: string
  readonly ifMatch: IfMatch
}

/** The version that the caller has read, if the write depends on it. */
type IfMatch = string | undefined

interface Submitted {
  readonly collection: LinkedCollection
  readonly submission: Submission
  readonly view: View
}

/** Stores the files and hashes the password of a write: only its rows remain to be written. */
export const prepareWrite = async (
  places: FilePlaces & { readonly readPassword: ReadPassword },
  caller: Caller,
  command: WriteCommand,
): Promise<PreparedWrite> => {
  if (command.action === 'remove') return prepareRemoval(caller, command)
  const { collection, submission, view } = command
  const id = command.action === 'update' ? command.id : newId(submission)
  const secret = await places.readPassword(caller, collection, id, submission)
  // A guest or an invalid id writes nothing, so no file is stored.
  const uploads =
    caller.id === null || !isId(id)
      ? NO_UPLOADS
      : await storeUploads(places, collection, id, submission)
  let unnamed = uploads.stored
  const ifMatch = command.action === 'create' ? undefined : command.ifMatch

  const write = async (runner: Runner, current: Row | undefined): Promise<Reply> => {
    const failed = `Failed to ${current === undefined ? 'create' : 'update'} record.`
    const changes = await readChanges(collection, submission, current, caller.superuser)
    const names = fileColumns(collection, submission, uploads.stored, current)
    const passwordErrors = { ...(current === undefined && secret.missing), ...secret.errors }
    const others = { ...names.errors, ...uploads.errors, ...changes.errors }
    refuse(failed, firstErrors(collection, passwordErrors, others))
    const named = new Set([...names.values.values()].flat())
    unnamed = uploads.stored.filter(({ name }) => !named.has(name))
    const filledIn = await fillIn(collection, changes.values, current)
    const keyed = keyedColumns(collection, changes.values, names.values, current)
    const values = new Map([...changes.values, ...filledIn, ...names.values, ...keyed])
    const content = { values, filledIn: [...filledIn.keys()], secret }
    const put = current === undefined ? insert : change
    // An expanded relation may lead back to the record; only a read after the write sees the change.
    const isExpanded = view.expand !== ''
    const own = isExpanded ? { picks: undefined, expand: '' } : view
    const answer = await put(runner, caller, collection, id, content, own)
      .then(async (written) => {
        await checkRelations(runner, collection, values)
        return written
      })
      .catch((error: unknown) => {
        throw asFieldError(error, collection, failed)
      })
    const whole = isExpanded ? await get(runner, caller, collection, id, view) : answer
    return { status: 200, ...whole }
  }

  const run = {
    create: (runner: Runner) => write(runner, undefined),
    update: async (runner: Runner) => {
      const current = isId(id) ? await lock(runner, caller, collection, id, 'change') : undefined
      if (current === undefined) throw new ApiError(404)
      demandVersion(ifMatch, current)
      return write(runner, current)
    },
    upsert: async (runner: Runner) => {
      const current = isId(id) ? await lock(runner, caller, collection, id, 'change') : undefined
      demandVersion(ifMatch, current)
      if (current === undefined) demandAccess(caller, collection, 'create')
      return write(runner, current)
    },
  }[command.action]

  return {
    // The read after the write must see it, or both must fail.
    needsTransaction: command.action !== 'create' || view.expand !== '',
    mayReleaseFiles: command.action !== 'create',
    run: async (runner) => {
      demandAccess(caller, collection, command.action === 'create' ? 'create' : 'change')
      return run(runner)
    },
    cleanUp: (happened) => removeAll(places.files, happened ? unnamed : uploads.stored),
  }
}

const prepareRemoval = (caller: Caller, { collection, id, ifMatch }: Removal): PreparedWrite => ({
  needsTransaction: ifMatch !== undefined || removesMany(collection),
  mayReleaseFiles: true,
  run: async (runner) => {
    demandAccess(caller, collection, 'remove')
    if (isId(id) && (ifMatch !== undefined || removesMany(collection))) {
      const current = await lock(runner, caller, collection, id, 'remove')
      if (current === undefined) throw new ApiError(404)
      demandVersion(ifMatch, current)
    }
    await remove(runner, caller, collection, id)
    return { status: 204, body: null, etag: null }
  },
  cleanUp: async () => {},
})

/** @throws ApiError 412 if there is no row, or one of another version */
const demandVersion = (ifMatch: IfMatch, current: Row | undefined): void => {
  if (ifMatch !== undefined && (current === undefined || !matches(ifMatch, current)))
    throw new ApiError(412)
}

/** The id from the client, or a new one; an invalid id is kept, to be refused. */
const newId = ({ fields }: Submission): string => {
  const reading = readId(fields.get('id'))
  return 'error' in reading ? '' : (reading.id ?? randomText(ID_LENGTH))
}
