import { API } from '#domain/paths.ts'
import { USERS } from '#domain/collection.ts'

import type { Core } from './core.ts'
import type { Store } from './state.ts'

type Account = Pick<Store, 'endSessions' | 'exportAddress' | 'deleteAccount'>

interface Ending {
  /** Sends what would be lost with the session. */
  readonly finish: () => Promise<void>
  /** Clears the account on this device. */
  readonly signOut: () => void
}

/** The calls about the account as a whole (spec 10). */
export const createAccount = (core: Core, { finish, signOut }: Ending): Account => {
  const { env, session } = core
  /** Signs out after the server has ended the session: the token is no longer valid. */
  const leave = (): void => {
    session.clear()
    signOut()
  }
  const isOver = async (): Promise<boolean> => !session.isValid() || (await core.renew()) === 'over'
  /** Whose deletion was sent with a live session. */
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
        await client.collection(USERS).delete(user.id)
      })
      // The answer can be lost, and a browser may send a request again whose connection broke. The sessions of an
      // account end with it.
      const mayBeDone = id !== undefined && id === asked
      if (result.problem !== undefined && !(mayBeDone && (await isOver()))) return result
      leave()
      return { value: undefined }
    },
  }
}
