import { FilePen } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'

import { useDrafts, useStore } from '../../data/react.ts'
import type { Draft, DraftSlot, ListedDraft, SiteView } from '../../data/state.ts'
import { useLanguage } from '../../messages/messages.ts'
import { formPath } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { plainText } from '../../ui/user-text.tsx'
import { useSavesInProgress } from '../../browser/saves-in-progress.ts'
import { formatRecentTime } from '../../format/date-time.ts'

interface Props {
  readonly sites: readonly SiteView[]
}

/** A draft that was discarded here, and can be restored. */
interface Discarded {
  readonly listed: ListedDraft
  readonly draft: Draft
  readonly slot: DraftSlot
}

/** Unfinished forms: saves in progress, and drafts. */
export const Unfinished = ({ sites }: Props) => {
  const { messages, locale } = useLanguage()
  const text = messages.dashboard
  const store = useStore()
  const savesInProgress = useSavesInProgress()
  const listed = useDrafts()
  const [discarded, setDiscarded] = useState<readonly Discarded[]>([])
  const [returned, setReturned] = useState('')
  const [now] = useState(Date.now)
  const drafts = listed.filter(({ form }) => !savesInProgress.some((each) => each.form === form))
  if (savesInProgress.length + drafts.length + discarded.length === 0) return null

  const siteOf = ({ form }: ListedDraft) => sites.find(({ id }) => form === `site:${id}`)
  const nameOf = (draft: ListedDraft): string => {
    if (draft.form === 'business') return text.unnamedBusiness
    return plainText(typedName(draft.values) || siteOf(draft)?.name || '') || text.unnamedSite
  }
  const pathOf = (draft: ListedDraft): string =>
    formPath(draft.form, draft.isNew && siteOf(draft) === undefined)
  const discard = async (each: ListedDraft) => {
    const slot = store.draft(each.form)
    const draft = await slot.read()
    if (draft !== undefined) setDiscarded((all) => [...all, { listed: each, draft, slot }])
    slot.drop()
  }
  const restore = (chosen: Discarded) => {
    const { draft, slot } = chosen
    void slot.save({ values: draft.values, files: draft.files }, draft.isNew)
    setDiscarded((all) => all.filter((each) => each !== chosen))
    setReturned(slot.form)
  }

  return (
    <section className="card unfinished" aria-label={text.unfinished}>
      {savesInProgress.map(({ form, name }) => (
        <output key={form} className="unfinished-row">
          <Spinner />
          <span className="unfinished-what">{text.saving(name)}</span>
        </output>
      ))}
      {drafts.map((draft) => (
        <div key={draft.form} className="unfinished-row">
          <FilePen className="icon" />
          <span className="unfinished-what">
            {text.draftOf(nameOf(draft))}{' '}
            <span className="muted">{formatRecentTime(draft.at, now, locale)}</span>
          </span>
          <Link
            className="button"
            ref={draft.form === returned ? takeFocus : undefined}
            to={pathOf(draft)}
            aria-label={messages.about(messages.drafts.continue, nameOf(draft))}
          >
            {messages.drafts.continue}
          </Link>
          <Button
            look="quiet"
            aria-label={messages.about(messages.drafts.discard, nameOf(draft))}
            onClick={() => void discard(draft)}
          >
            {messages.drafts.discard}
          </Button>
        </div>
      ))}
      {discarded.map((each) => (
        <div key={`${each.listed.form} ${each.listed.at}`} className="unfinished-row">
          <output className="unfinished-what">{text.draftDiscarded(nameOf(each.listed))}</output>
          <Button
            ref={takeFocus}
            aria-label={messages.about(messages.actions.undo, nameOf(each.listed))}
            onClick={() => restore(each)}
          >
            {messages.actions.undo}
          </Button>
        </div>
      ))}
    </section>
  )
}

/** Focuses the element that replaces the pressed button. */
const takeFocus = (element: HTMLElement | null): void => element?.focus({ preventScroll: true })

/** The typed name or address in a draft; its other values are private to the form. */
const typedName = (values: unknown): string => {
  const { text } = (values ?? {}) as { text?: { name?: unknown; address?: unknown } | null }
  return (
    [text?.name, text?.address].find(
      (each): each is string => typeof each === 'string' && each.trim() !== '',
    ) ?? ''
  )
}
