import { useState } from 'react'

import type { Draft } from '../../data/state.ts'
import { useLanguage } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'
import { dayAndClock } from '../../format/when.ts'

interface Props {
  readonly draft: Draft
  readonly onContinue: () => void
  readonly onStartFresh: () => void
}

/** Reports that the form shows a restored draft or a queued change. */
export const DraftBanner = ({ draft, onContinue, onStartFresh }: Props) => {
  const { messages, locale } = useLanguage()
  const text = messages.drafts
  const [now] = useState(Date.now)
  const lost = draft.lostFiles > 0 && <p>{text.lostFiles(draft.lostFiles)}</p>
  if (draft.waits) {
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
      title={text.kept(dayAndClock(draft.at, now, locale))}
      actions={
        <>
          <button type="button" className="button" onClick={onContinue}>
            {text.continue}
          </button>
          <button type="button" className="button" onClick={onStartFresh}>
            {text.startFresh}
          </button>
        </>
      }
    >
      <p>{text.keptText}</p>
      {lost}
    </Banner>
  )
}
