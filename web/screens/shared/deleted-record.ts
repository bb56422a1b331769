import { useNavigate } from 'react-router'
import type { FieldValues } from 'react-hook-form'

import { useDrafts, useStore } from '../../data/react.ts'
import type { DraftContent, FormName } from '../../data/state.ts'
import { useLanguage } from '../../messages/messages.ts'
import { formPath } from '../../paths.ts'
import { toast } from '../../ui/toast.ts'
import type { Edit } from './use-edit.ts'

/** Converts the draft of a deleted record to that of a new one; undefined if it has another format. */
type AsNew = (draft: DraftContent, newId: () => string) => DraftContent | undefined

/** A record that was deleted on another device while its form was open. */
export interface Deleted {
  readonly asNew: AsNew
  /** The path of the list of such records. */
  readonly list: string
  readonly title: string
  readonly text: string
  readonly addAgain: string
}

/** Opens the form of a new record with the content of a deleted one; returns whether it was stored. */
const useAddAgain = (form: FormName) => {
  const store = useStore()
  const navigate = useNavigate()
  return async (draft: DraftContent, asNew: AsNew): Promise<boolean> => {
    const content = asNew(draft, store.newId)
    if (content === undefined) return false
    const [kind = ''] = form.split(':')
    const added: FormName = `${kind}:${store.newId()}`
    const kept = await store.draft(added).save(content, true)
    if (kept.text) await navigate(formPath(added, true), { replace: true })
    return kept.text
  }
}

/** Adds a deleted record again from the draft that its form has left; undefined without one. */
export const useAddDraftAgain = (
  form: FormName,
  asNew: AsNew,
): (() => Promise<void>) | undefined => {
  const store = useStore()
  const addAgain = useAddAgain(form)
  if (!useDrafts().some((draft) => draft.form === form)) return undefined
  return async () => {
    const slot = store.draft(form)
    const draft = await slot.read()
    if (draft !== undefined && (await addAgain(draft, asNew))) slot.drop()
  }
}

/** What the save bar offers in place of a save: to add the content of the form as a new record, or to leave. */
export const useDeletedBar = <T extends FieldValues, F, S, P>(
  { subject, form, base, files, slot, autosave }: Edit<T, F, S, P>,
  deleted: Deleted | undefined,
) => {
  const { drafts } = useLanguage().messages
  const navigate = useNavigate()
  const addAgain = useAddAgain(slot.form)
  if (deleted === undefined) return undefined
  const { asNew, list, title, text, addAgain: label } = deleted
  const act = (): void =>
    void addAgain(subject.writeDraft(base, form.getValues(), files), asNew).then((isSaved) => {
      if (isSaved) autosave.finish()
      else toast(drafts.notKept)
    })
  const discard = (): void => {
    autosave.finish()
    void navigate(list, { replace: true })
  }
  return { failure: { title, text, instead: { label, act } }, leave: { discard } }
}
