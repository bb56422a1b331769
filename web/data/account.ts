import { API } from '#domain/paths.ts'
import { USERS } from '#domain/collection.ts'
import { CASCADE_TIMEOUT_MS } from '#domain/limits.ts'

import { createSend, fixedTimeout } from './client.ts'
import type { Core } from './core.ts'
import type { Store } from './state.ts'

type Account = Pick<Store, 'endSessions' | 'exportAddress' | 'deleteAccount'>

interface Ending {
  /** Sends the writes that the end of the session would lose. */
  readonly finish: () => Promise<void>
  /** Clears the account on this device. */
  readonly signOut: () => void
}

/** The calls about the account as a whole (spec 10). */
export const createAccount = (core: Core, { finish, signOut }: Ending): Account => {
  const { env, session, writes } = core
  /** The response arrives once the server has deleted every record, without any progress before. */
  const sendDeletion = createSend(env, fixedTimeout(CASCADE_TIMEOUT_MS))
  /** Signs out after the server has ended the session: the token is no longer valid. */
  const leave = (): void => {
    session.clear()
    signOut()
  }
  const isOver = async (): Promise<boolean> => !session.isValid() || (await core.renew()) === 'over'
  /** The user whose deletion was sent with a valid session. */
  let asked: string | undefined
  return {
    endSessions: async () => {
      await finish()
      const result = await core.attempt({ action: 'endSessions' }, async (client) => {
        await client.send(API.endSessions(USERS), { method: 'POST' })
      })
      if (result.problem === undefined) leave()
      return result
    },
    exportAddress: () =>
      core.attempt({ action: 'exportData' }, async (client) => {
        const token = await client.files.getToken()
        return `${env.basePath}${API.export}?token=${token}`
      }),
    deleteAccount: async () => {
      const call = { action: 'deleteAccount' } as const
      const id = session.user()?.id
      if ((await core.renew()) === 'valid') asked = id
      const result = await core.attempt(call, async (client, { user }) => {
        await client.collection(USERS).delete(user.id, {
          fetch: (url, init) => writes.track(sendDeletion(url, init)),
        })
      })
      // The response may be lost, or the browser may repeat a request whose connection broke. Deleting an account ends
      // its sessions, so an ended session proves that the deletion succeeded.
      const mayBeDone = id !== undefined && id === asked
      if (result.problem !== undefined && !(mayBeDone && (await isOver()))) return result
      leave()
      return { value: undefined }
    },
  }
}
