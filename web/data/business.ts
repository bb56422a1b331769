import type { Business } from '#domain/business.ts'
import { BUSINESSES } from '#domain/collection.ts'

import { Failure, isNotUnique } from './client.ts'
import type { Core } from './core.ts'
import { onBase, type Data } from './log.ts'
import { merge } from './merge.ts'
import type { BusinessTexts, CreateBusiness, UpdateBusiness } from './mutations.ts'
import {
  answered,
  businessCreateBody,
  businessTextsOf,
  businessUpdateBody,
  businessView,
  FIELDS,
} from './records.ts'
import { newMutation, type WriteContext } from './sites.ts'
import type { BusinessInput, SavedWrite, Store } from './state.ts'
import type { Run } from './sync-queue.ts'

type BusinessCalls = Pick<Store, 'createBusiness' | 'updateBusiness'>

/** The calls about the business (spec 7). */
export const createBusinessCalls = (writing: WriteContext): BusinessCalls => {
  const { core, queue } = writing

  const createBusiness: Store['createBusiness'] = async (input, how = {}) => {
    const { logo, ...payload } = input
    // A retry uses the same id, and so finds the record that the first attempt may have created.
    const before = queue.all().find(({ kind }) => kind === 'createBusiness')
    const sent = logo instanceof File ? [logo] : []
    const mutation: CreateBusiness = {
      ...newMutation(writing, before?.subject ?? core.env.newId(), sent, how),
      kind: 'createBusiness',
      payload,
    }
    const retry = (): void => void createBusiness(input, how)
    const scope = core.scope()
    scope.dispatch({ type: 'busy' })
    try {
      return await queue.commit(mutation, sent, { ...how, retry })
    } finally {
      scope.dispatch({ type: 'idle' })
    }
  }

  const updateBusiness: Store['updateBusiness'] = async (changes, how = {}) => {
    const shown = core.getState().data
    const confirmed = core.base()
    if (shown === null || confirmed === null)
      return { problem: new Failure('notFound').problem, action: 'updateBusiness' }
    const body = {
      ...businessUpdateBody(confirmed, changes),
      ...businessUpdateBody(shown, changes),
    }
    if (Object.keys(body).length === 0) return { value: { isQueued: false } }
    const { logo: _, ...texts } = body
    const { logo } = changes
    // A queued update is merged into this one, and keeps its base.
    const queued = queue.about('updateBusiness', shown.id)
    const before = queued?.isKept === true ? queued : undefined
    const isQueued = how.queue === true || before !== undefined
    const sent = logo instanceof File ? [logo] : []
    const common = newMutation(writing, shown.id, sent, { ...how, queue: isQueued })
    const mutation: UpdateBusiness = {
      ...common,
      kind: 'updateBusiness',
      payload: {
        texts: { ...before?.payload.texts, ...(texts as Partial<BusinessTexts>) },
        logo:
          logo === undefined ? (before?.payload.logo ?? 'same') : logo === null ? 'none' : 'new',
      },
      base: before?.base ?? businessTextsOf(shown),
      ...(logo === undefined && before !== undefined ? { files: before.files } : {}),
    }
    const retry = (): void => void updateBusiness(changes, how)
    return queue.commit(mutation, sent, { ...how, retry })
  }

  return { createBusiness, updateBusiness }
}

/** Registers the business. */
export const sendCreateBusiness = async (
  core: Core,
  run: Run<CreateBusiness>,
): Promise<SavedWrite> => {
  const { client, scope, mutation, files } = run
  const { subject: id, payload } = mutation
  // An attempt by an earlier page has succeeded.
  if (!run.isFirst && core.base() !== null) return { isQueued: false }
  const input: BusinessInput = { ...payload, ...(files[0] === undefined ? {} : { logo: files[0] }) }
  const collection = client.collection(BUSINESSES)
  const body = { id, user: scope.user.id, ...businessCreateBody(input) }
  const savedBefore = async (error: unknown): Promise<Business> => {
    if (!isNotUnique(error, 'id') && !isNotUnique(error, 'user')) throw error
    // Only an earlier attempt by this user can have this id; for any other business, the error stands.
    return collection.getOne<Business>(id, { fields: FIELDS.business }).catch(() => {
      throw error
    })
  }
  let isFresh = true
  const record = await collection
    .create<Business>(body, { fields: FIELDS.business })
    .catch((error: unknown) => {
      isFresh = false
      return savedBefore(error)
    })
  const business = { ...businessView(client, record), sites: [], records: {} }
  scope.confirm(() => business)
  // The owner may have typed more after the attempt whose response was lost.
  if (!isFresh) await sendBody(run, businessUpdateBody(business, input))
  return { isQueued: false }
}

/** Sends the changed fields of the business; a retry is first merged with the stored record. */
export const sendUpdateBusiness = async (
  core: Core,
  run: Run<UpdateBusiness>,
): Promise<SavedWrite> => {
  const { mutation, files } = run
  const { base, payload } = mutation
  const confirmed = core.base()
  if (confirmed?.id !== mutation.subject) throw new Failure('notFound')
  const [logo] = files
  const logoInput: BusinessInput = {
    ...(payload.logo === 'none' ? { logo: null } : {}),
    ...(payload.logo === 'new' && logo !== undefined ? { logo } : {}),
  }
  if (run.isFirst) {
    // The logo was set when the owner removed it.
    const logoBody = payload.logo === 'none' ? { logo: '' } : logoInput
    await sendBody(run, { ...payload.texts, ...logoBody })
    return { isQueued: false }
  }
  const { version, conflicts } = merge(
    { fields: base, rows: [] },
    { fields: { ...base, ...payload.texts }, rows: [] },
    { fields: businessTextsOf(confirmed), rows: [] },
  )
  if (conflicts.length > 0) throw new Failure('conflict', 412)
  await sendBody(run, businessUpdateBody(confirmed, { ...version.fields, ...logoInput }))
  return { isQueued: false }
}

const sendBody = async (
  { client, scope, mutation }: Run,
  body: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const names = Object.keys(body)
  if (names.length === 0) return
  const record = await client.collection(BUSINESSES).update<Business>(mutation.subject, body, {
    fields: FIELDS.business,
    requestKey: `update ${BUSINESSES} ${names.sort().join()}`,
  })
  const answer = businessView(client, record)
  const { fileSrc } = answer
  scope.confirm(
    onBase((data): Data => ({
      ...data,
      ...answered(body, answer),
      ...('logo' in body ? { fileSrc } : {}),
    })),
  )
}
