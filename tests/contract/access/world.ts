import { SignJWT, UnsecuredJWT, decodeJwt, type JWTPayload } from 'jose'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { ID_LENGTH } from '#domain/collection.ts'
import type { CollectionName } from '#domain/collections.ts'
import { randomText } from '../../../server/db/random.ts'
import { makePhoto } from '../../support/images.ts'
import { connectorBody, newOwner, siteBody, tariffBody, type Owner } from '../../support/owner.ts'
import { startStack, type Stack } from '../../support/stack.ts'
import { newSuperuser } from '../../support/superuser.ts'

/** The owner of the record in a request, from the point of view of the owner `ada`. */
export const OBJECTS = ['ada’s', 'bob’s', 'absent', 'deleted'] as const
export type ObjectName = (typeof OBJECTS)[number]

/**
 * The callers. The server treats all but the last three as guests: each has an imitation of `ada`'s token, or an
 * invalid one.
 */
export const STRANGERS = [
  'a guest',
  'noise',
  'an expired token',
  'an unsigned token',
  'another key',
  'another algorithm',
  'a file token',
  'a mailed token',
  'a token without a session',
  'a session that was ended',
  'somebody who was deleted',
] as const
export const PEOPLE = ['ada', 'bob', 'a superuser'] as const
export const CALLERS = [...STRANGERS, ...PEOPLE] as const
export type CallerName = (typeof CALLERS)[number]

/** Two owners with records of every collection, a superuser, and tokens of every kind. */
export interface World {
  readonly stack: Stack
  readonly token: Readonly<Record<CallerName, string>>
  readonly ada: Household
  readonly bob: Household
  readonly superuserId: string
  id(collection: CollectionName, object: ObjectName): string
  /** Creates another owner like `ada`, for tests that change the owner. */
  newHousehold(): Promise<Household>
  /** Opens another session of `ada`, for tests that end it. */
  newSession(): Promise<string>
  /** A token of ada's session with other claims, signed with the real key. */
  forge(claims: JWTPayload): Promise<string>
  /** All stored data in tables and on disk. */
  everything(): Promise<string>
}

/** An owner, with the ids of their records. */
export interface Household extends Owner {
  readonly ids: Readonly<Record<CollectionName, string>>
  readonly photo: string
}

const SECRET = 'a secret of the tests, thirty-two bytes or more'
const ABSENT = 'nosuchrecord123'

export const makeWorld = async (): Promise<World> => {
  const stack = await startStack({ env: { TOKEN_SECRET: SECRET } })
  const root = await newSuperuser(stack)

  const newHousehold = async (): Promise<Household> => {
    const owner = await newOwner(stack.url)
    const { client } = owner
    const business = await client
      .collection('businesses')
      .create({ name: 'Harbour Lane Hotels', user: owner.id })
    const site = await client
      .collection('sites')
      .create({ ...siteBody(business.id), photos: [await makePhoto('car park.jpg')] })
    const connector = await client.collection('connectors').create(connectorBody(site.id))
    const tariff = await client.collection('tariffs').create(tariffBody(business.id))
    const report = randomText(ID_LENGTH)
    await stack.sql`insert into reports (id, site, reason) values (${report}, ${site.id}, 'NO_ACCESS')`
    const [imported, row, feed] = Array.from({ length: 3 }, () => randomText(ID_LENGTH)) as [
      string,
      string,
      string,
    ]
    await stack.sql`insert into imports (id, business, state) values (${imported}, ${business.id}, 'FAILED')`
    await stack.sql`insert into import_rows (id, import, number) values (${row}, ${imported}, 1)`
    await stack.sql`insert into feeds (id, business, url, is_active)
      values (${feed}, ${business.id}, 'https://feed.example/locations', false)`
    const change = await client.collection('changes').getFirstListItem(`record = "${site.id}"`)
    return {
      ...owner,
      ids: {
        _superusers: root.id,
        users: owner.id,
        businesses: business.id,
        sites: site.id,
        connectors: connector.id,
        tariffs: tariff.id,
        reports: report,
        imports: imported,
        import_rows: row,
        feeds: feed,
        changes: change.id,
      },
      photo: (site['photos'] as string[])[0] ?? '',
    }
  }

  const ada = await newHousehold()
  const bob = await newHousehold()
  const gone = await newHousehold()
  await gone.client.collection('users').delete(gone.id)

  const good = ada.client.authStore.token
  const claims = decodeJwt(good)
  const key = new TextEncoder().encode(SECRET)
  const sign = (payload: JWTPayload, secret = key, alg = 'HS256'): Promise<string> =>
    new SignJWT(payload).setProtectedHeader({ alg, typ: 'JWT' }).sign(secret)
  const newSession = async (): Promise<string> => {
    const { token } = await root.client
      .collection('users')
      .impersonate(ada.id, 3600)
      .then(({ authStore }) => authStore)
    return token
  }
  const ended = await newHousehold()
  await ended.client.send('/api/collections/users/end-sessions', { method: 'POST' })

  const token: Record<CallerName, string> = {
    'a guest': '',
    noise: 'Bearer %00{"id":1}',
    'an expired token': await sign({ ...claims, exp: Math.floor(Date.now() / 1000) - 1 }),
    'an unsigned token': new UnsecuredJWT(claims).encode(),
    'another key': await sign(claims, new TextEncoder().encode(SECRET.toUpperCase())),
    'another algorithm': await sign(claims, key, 'HS512'),
    'a file token': await ada.client.files.getToken(),
    'a mailed token': await sign({ ...claims, type: 'passwordReset', email: ada.email }),
    'a token without a session': await sign({ ...claims, jti: 'x'.repeat(30) }),
    'a session that was ended': ended.client.authStore.token,
    'somebody who was deleted': gone.client.authStore.token,
    ada: good,
    bob: bob.client.authStore.token,
    'a superuser': root.client.authStore.token,
  }

  const storage = join(stack.dataDir, 'storage')
  return {
    stack,
    token,
    ada,
    bob,
    superuserId: root.id,
    newHousehold,
    newSession,
    forge: (other) => sign({ ...claims, ...other }),
    id: (collection, object) =>
      ({
        'ada’s': ada.ids[collection],
        'bob’s': bob.ids[collection],
        absent: ABSENT,
        deleted: collection === '_superusers' ? ABSENT : gone.ids[collection],
      })[object],
    everything: async () => {
      const [tables] = await stack.sql<{ text: string }[]>`
        select concat(
          (select json_agg(t order by id) from users t),
          (select json_agg(t order by id) from _superusers t),
          (select json_agg(t order by hash) from passwords t),
          (select json_agg(t order by id) from businesses t),
          (select json_agg(t order by id) from sites t),
          (select json_agg(t order by id) from connectors t),
          (select json_agg(t order by id) from tariffs t),
          (select json_agg(t order by id) from reports t),
          (select json_agg(t order by report) from (
            -- The rest changes by itself, as owners are told.
            select report, sender, email, language, created from report_senders) t),
          (select json_agg(t order by id) from imports t),
          (select json_agg(t order by id) from import_rows t),
          (select json_agg(t order by id) from feeds t),
          (select json_agg(t order by id) from changes t)) as text`
      const files = await readdir(storage, { recursive: true })
      return `${tables?.text ?? ''}\n${files.toSorted().join('\n')}`
    },
  }
}
