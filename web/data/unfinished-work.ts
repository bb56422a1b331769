import type { Core } from './core.ts'

/** How long after a failed read the data is read again. */
const RETRY_MS = 15_000

/**
 * Finishes the writes that wait, once the data that they are compared with is fresh: after a failed read, and when the
 * device is online again, it is read until it is.
 * @param refresh reads the data if it is not recent; false if that failed
 */
export const createUnfinishedWork = (
  { env, session, getState }: Core,
  refresh: () => Promise<boolean>,
  finish: () => Promise<void>,
) => {
  let cancel = (): void => {}
  const finishOnceFresh = async (isFresh: boolean): Promise<void> => {
    cancel()
    if (isFresh) return finish()
    // Offline, the event goes on.
    cancel = env.after(RETRY_MS, () => void (env.isOnline() && goOn()))
  }
  const goOn = async (): Promise<void> => {
    if (getState().user === null || !session.isValid()) return
    await finishOnceFresh(await refresh())
  }
  env.on('online', () => void goOn())
  return { finishOnceFresh, cancel: () => cancel() }
}
