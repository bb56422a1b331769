import type { DraftStatus } from '../../data/state.ts'
import type { Messages } from '../../messages/messages.ts'
import { formatTime } from '../../format/date-time.ts'

/** The time at which the draft was stored, or that the device could not store it. */
export const draftNote = (
  messages: Messages,
  locale: string,
  saved: DraftStatus | undefined,
): string => {
  if (saved === undefined) return ''
  if (!saved.text) return messages.drafts.notKept
  return saved.files
    ? messages.drafts.savedAt(formatTime(saved.at, locale))
    : messages.drafts.filesNotKept
}
