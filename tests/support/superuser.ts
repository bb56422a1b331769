import { randomBytes } from 'node:crypto'

import PocketBase from 'pocketbase'

import { ID_LENGTH, SUPERUSERS, USERS } from '#domain/collection.ts'

import { createPasswords } from '../../server/auth/password.ts'
import { randomText } from '../../server/db/random.ts'
import type { Stack } from './stack.ts'

export const PASSWORD = 'correct horse battery'

/** An account with a password. */
export interface Account {
  readonly client: PocketBase
  readonly id: string
  readonly email: string
}

/** A signed-in superuser, created in the database like with `npm run superuser`. */
export const newSuperuser = async (stack: Pick<Stack, 'url' | 'sql'>): Promise<Account> => {
  const email = newEmail('root')
  const id = randomText(ID_LENGTH)
  const hash = await createPasswords().hash(PASSWORD)
  await stack.sql`insert into _superusers (id, email) values (${id}, ${email})`
  await stack.sql`insert into passwords (superuser, hash) values (${id}, ${hash})`
  const client = newClient(stack.url)
  await client.collection(SUPERUSERS).authWithPassword(email, PASSWORD)
  return { client, id, email }
}

/** A signed-in user with a password, created by a superuser. */
export const newPasswordUser = async (
  stack: Pick<Stack, 'url'>,
  superuser: Account,
  values: Readonly<Record<string, unknown>> = {},
): Promise<Account> => {
  const email = newEmail('user')
  const user = await superuser.client.collection(USERS).create({
    email,
    password: PASSWORD,
    passwordConfirm: PASSWORD,
    ...values,
  })
  const client = newClient(stack.url)
  await client.collection(USERS).authWithPassword(email, PASSWORD)
  return { client, id: user.id, email }
}

/** Signs in and returns the client; rejects like the SDK. */
export const signInWithPassword = async (
  url: string,
  email: string,
  password: string,
  collection: string = USERS,
): Promise<PocketBase> => {
  const client = newClient(url)
  await client.collection(collection).authWithPassword(email, password)
  return client
}

/** A new email address. */
export const newEmail = (name: string): string =>
  `${name}-${randomBytes(6).toString('hex')}@example.org`

const newClient = (url: string): PocketBase => {
  const client = new PocketBase(url)
  // Tests send identical requests concurrently.
  client.autoCancellation(false)
  return client
}
