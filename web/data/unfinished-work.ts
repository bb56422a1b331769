import type { Core } from './core.ts'

/** Delay before the data is read again after a failed read, in milliseconds. */
const RETRY_MS = 15_000

/**
 * Finishes the pending writes once the data that they are compared with is fresh. After a failed read, and when the
 * device is online again, the data is read until that succeeds.
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
    // Offline, the `online` event continues the work.
    cancel = env.after(RETRY_MS, () => void (env.isOnline() && resume()))
  }
  const resume = async (): Promise<void> => {
    if (getState().user === null || !session.isValid()) return
    await finishOnceFresh(await refresh())
  }
  env.on('online', () => void resume())
  return { finishOnceFresh, cancel: () => cancel() }
}
