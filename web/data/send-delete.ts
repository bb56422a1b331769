import type PocketBase from 'pocketbase'

import { CONNECTORS, SITES } from '#domain/collection.ts'
import { API } from '#domain/paths.ts'

import { Failed, refusedRequest, toProblem } from './client.ts'
import type { Core, SessionScope } from './core.ts'
import { dropConnector, dropRecord, dropSite, onBase, recordsIn, siteOf, type Data } from './log.ts'
import type { Delete, DeleteRecord } from './mutations.ts'
import { referencesTo, replaceReferences, type Reference } from './references.ts'
import { removeRecord } from './remove.ts'

/** Number of references that one request replaces. */
const CHUNK_REFERENCES = 100

/** Maximum attempts while other devices change the references to the record. */
const ATTEMPTS = 3

interface Callbacks {
  readonly retry: () => void
  /** Reads the data again. */
  readonly reload: () => Promise<unknown>
}

/** Sends a delete. A failure becomes a notice. */
export const sendDelete = async (
  core: Core,
  mutation: Delete,
  { retry, reload }: Callbacks,
): Promise<boolean> => {
  const { subject } = mutation
  const { problem } = await (mutation.kind === 'deleteSite'
    ? core.attempt({ action: 'deleteSite', subject, retry }, (client, scope) =>
        deleteSite(core, client, scope, subject),
      )
    : core.attempt(
        { action: 'removeRecord', collection: mutation.collection, subject, retry },
        (client, scope) => deleteRecord({ core, client, scope, reload }, mutation),
      ))
  return problem === undefined
}

/** Returns whether the deleted record is in the confirmed data. */
export const isStored = (core: Core, mutation: Delete): boolean => {
  const data = core.base()
  const all = mutation.kind === 'deleteSite' ? data?.sites : recordsIn(data, mutation.collection)
  return all?.some(({ id }) => id === mutation.subject) === true
}

/** Deletes the connectors of a site, then the site. */
const deleteSite = async (
  core: Core,
  client: PocketBase,
  scope: SessionScope,
  id: string,
): Promise<void> => {
  const site = siteOf(core.base(), id)
  const outcomes = await Promise.allSettled(
    (site?.connectors ?? []).map(async (connector) => {
      await removeRecord(core, client, CONNECTORS, connector.id)
      scope.confirm(onBase(dropConnector(id, connector.id)))
    }),
  )
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  scope.check()
  await removeRecord(core, client, SITES, id)
  scope.confirm(onBase(dropSite(id)))
}

interface Sending extends Pick<Callbacks, 'reload'> {
  readonly core: Core
  readonly client: PocketBase
  readonly scope: SessionScope
}

/** Deletes a record and replaces the references to it. */
const deleteRecord = async (sending: Sending, mutation: DeleteRecord): Promise<void> => {
  const { core, client, scope, reload } = sending
  const { collection, subject: id, payload } = mutation
  const { instead } = payload
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (instead === undefined) await removeRecord(core, client, collection, id)
      else await replaceAndDelete(sending, mutation, instead)
      return scope.confirm(onBase(dropRecord(collection, id)))
    } catch (error) {
      if (instead === undefined) throw error
      // Another device has just added a reference, or deleted a record that had one.
      const refused = refusedRequest(error)?.problem
      const { status } = refused ?? toProblem(error)
      const isOutdated = status === 400 || status === 404
      if (!isOutdated || attempt === ATTEMPTS)
        throw refused === undefined ? error : new Failed(refused)
      await reload()
      scope.check()
    }
  }
}

/** The last batch also deletes the record, in the same transaction. */
const replaceAndDelete = async (
  { core, client, scope }: Sending,
  { id: correlationId, collection, subject: id }: DeleteRecord,
  instead: string,
): Promise<void> => {
  const references = referencesTo(core.base(), collection, id)
  if (references.length === 0) await removeRecord(core, client, collection, id)
  for (let at = 0; at < references.length; at += CHUNK_REFERENCES) {
    const chunk = references.slice(at, at + CHUNK_REFERENCES)
    const batch = client.createBatch()
    for (const each of chunk)
      batch.collection(each.collection).update(each.id, { [each.name]: instead }, { fields: 'id' })
    if (at + CHUNK_REFERENCES >= references.length) batch.collection(collection).delete(id)
    scope.check()
    // oxlint-disable-next-line no-await-in-loop -- the record can be deleted only after all references are replaced
    await batch.send({ requestKey: null, headers: correlated(correlationId) })
    scope.confirm(onBase(replaceReferences(chunk, instead)))
  }
}

/** Groups the replacements of one delete in the audit log. */
const correlated = (id: string) => ({ 'Correlation-Id': id })

/**
 * Sends deletes without waiting for responses, one small request each (spec 10): deleting a site deletes its
 * connectors (cascade). A delete with more references than one request replaces is left to the next page.
 */
export const sendKeepalive = ({ env, session, base }: Core, mutations: readonly Delete[]): void => {
  if (!session.isValid()) return
  for (const mutation of mutations) {
    const request = requestOf(base(), mutation)
    if (request === undefined) continue
    const { method, path, body } = request
    void env
      .fetch(env.origin + env.basePath + path, {
        method,
        headers: {
          Authorization: session.token(),
          ...correlated(mutation.id),
          'Accept-Language': env.language(),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        keepalive: true,
      })
      .catch(() => undefined)
  }
}

const requestOf = (data: Data, mutation: Delete) => {
  const { subject: id } = mutation
  if (mutation.kind === 'deleteSite') return { method: 'DELETE', path: API.record(SITES, id) }
  const { collection, payload } = mutation
  const { instead } = payload
  const references = referencesTo(data, collection, id)
  const own = { method: 'DELETE', path: API.record(collection, id) }
  if (references.length === 0 || instead === undefined) return own
  if (references.length > CHUNK_REFERENCES) return undefined
  const requests = [
    ...references.map((reference) => replacementOf(reference, instead)),
    { method: own.method, url: own.path },
  ]
  return { method: 'POST', path: API.batch, body: { requests } }
}

const replacementOf = ({ collection, id, name }: Reference, instead: string) => ({
  method: 'PATCH',
  url: API.record(collection, id),
  body: { [name]: instead },
})
