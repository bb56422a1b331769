import { useEffect } from 'react'

/** How long to wait between two reads while the server works on an import: events may be lost. */
const POLL_MS = 2000

/**
 * Calls `read` when the screen opens, when the connection or the tab comes back, and while `polls` again and again. The
 * next poll waits for the response to the last one, which may take longer than `POLL_MS`.
 */
export const usePolling = (read: () => Promise<void>, polls: boolean): void => {
  useEffect(() => {
    const again = () => void read()
    again()
    addEventListener('online', again)
    document.addEventListener('visibilitychange', again)
    return () => {
      removeEventListener('online', again)
      document.removeEventListener('visibilitychange', again)
    }
  }, [read])

  useEffect(() => {
    if (!polls) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      if (!isOver) timer = setTimeout(() => void read().then(wait), POLL_MS)
    }
    wait()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [read, polls])
}
