import { useState } from 'react'

import type { Draft } from '../../data/state.ts'
import { useLanguage } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'
import { formatRecentTime } from '../../format/date-time.ts'
import { Button } from '../../ui/button.tsx'

interface Props {
  readonly draft: Draft
  readonly onContinue: () => void
  readonly onDiscard: () => void
}

/** Reports that the form shows a restored draft or a queued change. */
export const DraftBanner = ({ draft, onContinue, onDiscard }: Props) => {
  const { messages, locale } = useLanguage()
  const text = messages.drafts
  const [now] = useState(Date.now)
  const lost = draft.lostFiles > 0 && <p>{text.lostFiles(draft.lostFiles)}</p>
  if (draft.isQueued) {
    return (
      <Banner tone="info" title={text.waiting}>
        <p>{text.waitingText}</p>
        {lost}
      </Banner>
    )
  }
  return (
    <Banner
      tone="info"
      title={text.kept(formatRecentTime(draft.at, now, locale))}
      actions={
        <>
          <Button onClick={onContinue}>{text.continue}</Button>
          <Button onClick={onDiscard}>{text.startFresh}</Button>
        </>
      }
    >
      <p>{text.keptText}</p>
      {lost}
    </Banner>
  )
}
