import type PocketBase from 'pocketbase'

import type { Business } from '#domain/business.ts'
import { BUSINESSES } from '#domain/collection.ts'

import { Failure, isTaken } from './client.ts'
import type { Core, Scope } from './core.ts'
import type { Files } from './files.ts'
import { onBase } from './log.ts'
import { merge } from './merge.ts'
import type { WaitingBusiness } from './outbox.ts'
import type { BusinessInput, BusinessView, Store } from './state.ts'
import {
  answered,
  businessCreateBody,
  businessTextsOf,
  businessUpdateBody,
  businessView,
  FIELDS,
} from './records.ts'

type BusinessCalls = Pick<Store, 'createBusiness' | 'updateBusiness'> & {
  /** Sends changes that were left to be sent; rejects with what stopped it. */
  readonly sendBusiness: (
    client: PocketBase,
    scope: Scope,
    waiting: WaitingBusiness,
  ) => Promise<void>
}

/** The calls about the business (spec 7). */
export const createBusinessCalls = (core: Core, files: Files): BusinessCalls => {
  // Kept until it worked, so that a second attempt finds what the first may have made.
  let newBusiness: { readonly id: string; readonly userId: string | undefined } | undefined

  const createBusiness: Store['createBusiness'] = async (input) => {
    const userId = core.getState().user?.id
    if (newBusiness?.userId !== userId) newBusiness = undefined
    const { id } = (newBusiness ??= { id: core.env.newId(), userId })
    const done = await core.attempt(
      { action: 'createBusiness', waits: true, retry: () => void createBusiness(input) },
      async (client, scope) => {
        const collection = client.collection(BUSINESSES)
        const body = { id, user: scope.user.id, ...businessCreateBody(input) }
        const savedBefore = async (error: unknown): Promise<Business> => {
          if (!isTaken(error, 'id') && !isTaken(error, 'user')) throw error
          // Only an own earlier attempt has this id; any other business is the real refusal.
          return collection.getOne<Business>(id, { fields: FIELDS.business }).catch(() => {
            throw error
          })
        }
        let fresh = true
        const record = await collection
          .create<Business>(body, { fields: FIELDS.business })
          .catch((error: unknown) => {
            fresh = false
            return savedBefore(error)
          })
        const business = { ...businessView(client, record), sites: [] }
        scope.fold(() => business)
        newBusiness = undefined
        // The person may have gone on typing after the attempt whose answer was lost.
        if (!fresh) await updateBusiness(input)
        return true
      },
    )
    return done === undefined ? undefined : (core.getState().data ?? undefined)
  }

  const updateBusiness = async (changes: BusinessInput): Promise<BusinessView | undefined> => {
    const current = core.getState().data
    if (current === null || core.base() === null) return undefined
    const done = await core.attempt(
      {
        action: 'updateBusiness',
        subject: current.id,
        retry: () => void updateBusiness(changes),
      },
      async (client, scope) => {
        await sendChanges(client, scope, changes)
        return true
      },
    )
    return done === undefined ? undefined : (core.getState().data ?? undefined)
  }

  const sendChanges = async (
    client: PocketBase,
    scope: Scope,
    changes: BusinessInput,
  ): Promise<void> => {
    const current = core.getState().data
    const confirmed = core.base()
    if (current === null || confirmed === null) throw new Failure('notFound')
    const body = {
      ...businessUpdateBody(confirmed, changes),
      ...businessUpdateBody(current, changes),
    }
    const names = Object.keys(body)
    if (names.length === 0) return
    const { logo: _, ...texts } = body
    await scope.optimistically(
      (data) => ({ ...data, ...texts }),
      () =>
        client.collection(BUSINESSES).update<Business>(current.id, body, {
          fields: FIELDS.business,
          requestKey: `update ${BUSINESSES} ${names.sort().join()}`,
        }),
      (record) => {
        const answer = businessView(client, record)
        const { fileSrc } = answer
        return onBase((data) => ({
          ...data,
          ...answered(body, answer),
          ...('logo' in body ? { fileSrc } : {}),
        }))
      },
    )
  }

  const sendBusiness: BusinessCalls['sendBusiness'] = async (client, scope, waiting) => {
    const confirmed = core.base()
    if (confirmed?.id !== waiting.id) throw new Failure('notFound')
    const { version, conflicts } = merge(
      { fields: waiting.base, rows: [] },
      { fields: { ...waiting.base, ...waiting.texts }, rows: [] },
      { fields: businessTextsOf(confirmed), rows: [] },
    )
    if (conflicts.length > 0) throw new Failure('conflict', 412)
    const [logo] = await files.fetch(scope.user.id, waiting.later.files)
    await sendChanges(client, scope, {
      ...version.fields,
      ...(waiting.logo === 'none' ? { logo: null } : {}),
      ...(waiting.logo === 'new' && logo !== undefined ? { logo } : {}),
    })
  }

  return { createBusiness, updateBusiness, sendBusiness }
}
