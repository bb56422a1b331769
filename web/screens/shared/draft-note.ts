import type { DraftStatus } from '../../data/state.ts'
import type { Messages } from '../../messages/messages.ts'
import { clock } from '../../format/when.ts'

/** The time at which the draft was stored, or that the device could not store it. */
export const draftNote = (
  messages: Messages,
  locale: string,
  kept: DraftStatus | undefined,
): string => {
  if (kept === undefined) return ''
  if (!kept.text) return messages.drafts.notKept
  return kept.files ? messages.drafts.savedAt(clock(kept.at, locale)) : messages.drafts.filesNotKept
}
