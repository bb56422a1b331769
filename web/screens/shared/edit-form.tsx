import { useEffect, type ComponentProps, type ReactNode, type RefObject } from 'react'
import { FormProvider, useWatch, type FieldValues } from 'react-hook-form'
import { useLocation, useNavigate } from 'react-router'

import { useLanguage } from '../../messages/messages.ts'
import { formPath } from '../../paths.ts'
import { ErrorSummary } from '../../ui/error-summary.tsx'
import { focusFirst, listErrors, notePress, type ListedError } from '../../ui/form.ts'
import '../../ui/form.css'
import { SaveBar } from '../../ui/save-bar.tsx'
import { toast } from '../../ui/toast.ts'
import { plainText } from '../../ui/user-text.tsx'
import { ConflictBanner, type Choice } from './conflict-banner.tsx'
import { useDeletedBar, type Deleted } from './deleted-record.ts'
import { DraftBanner } from './draft-banner.tsx'
import { draftNote } from './draft-note.ts'
import type { Failure } from './failure.ts'
import type { RemoteChanges } from './remote-changes.ts'
import {
  resolveConflicts,
  discardChanges,
  undoDiscard,
  type Edit,
  type useSubmit,
} from './use-edit.ts'

interface Sent<T extends FieldValues, F, S, P> {
  readonly edit: Edit<T, F, S, P>
  readonly sending: ReturnType<typeof useSubmit>
}

interface Props<T extends FieldValues, F, S, P> extends Sent<T, F, S, P> {
  /** The wording of errors and of changes by other devices. */
  readonly words: {
    readonly problems: (errors: readonly ListedError[]) => readonly ListedError[]
    readonly choices: (remote: RemoteChanges) => readonly Choice[]
    readonly merged: (remote: RemoteChanges) => readonly string[]
  }
  /** The name of the record. */
  readonly name?: string | undefined
  /** True while a part is not rendered yet. */
  readonly isPartial?: boolean
  /** True if the form replaces a discarded one. */
  readonly takesFocus?: boolean | undefined
  readonly children: ReactNode
}

/** A form: its messages and its sections. */
export const EditForm = <T extends FieldValues, F, S, P>({
  edit,
  sending,
  words,
  name,
  isPartial = false,
  takesFocus = false,
  children,
}: Props<T, F, S, P>) => {
  const { element, form, draft, remote, failure } = edit
  useEffect(() => {
    if (takesFocus) focusFirst(element.current)
  }, [takesFocus, element])
  const { errors, isSubmitting, submitCount } = form.formState
  useLock(element, sending.saving.isSending || edit.isSaved)
  const problems = words.problems(listErrors(errors))
  const discardDraft = useDiscardDraft(edit)
  return (
    <FormProvider {...form}>
      <form
        className="form"
        ref={element}
        noValidate
        aria-busy={isSubmitting}
        data-partial={isPartial ? '' : undefined}
        onPointerDown={notePress}
        onSubmit={(event) => {
          const { defaultPrevented } = event
          event.preventDefault()
          if (defaultPrevented) sending.refuse()
          else if (!isSubmitting && !edit.isSaved) void sending.submit(event)
        }}
      >
        {failure === undefined && submitCount > 0 && problems.length > 0 && (
          <ErrorSummary errors={problems} />
        )}
        {edit.isRestored && draft !== undefined && (
          <DraftBanner
            draft={draft}
            onContinue={() => {
              edit.change(() => ({ isRestored: false }))
              focusFirst(element.current)
            }}
            onDiscard={discardDraft}
          />
        )}
        {name !== undefined && <p className="form-subject">{plainText(name)}</p>}
        {remote !== undefined && (
          <ConflictBanner
            at={remote.at}
            merged={words.merged(remote)}
            choices={words.choices(remote)}
            onChoose={(keys, chosen) => resolveConflicts(edit, keys, chosen)}
          />
        )}
        {children}
      </form>
    </FormProvider>
  )
}

/**
 * Locks a form while it is sent, except for its save bar: what is changed now would be part of neither this save nor a
 * draft. The focus returns to its field afterwards.
 */
const useLock = (form: RefObject<HTMLFormElement | null>, isLocked: boolean): void =>
  useEffect(() => {
    if (!isLocked) return
    const parts = [...(form.current?.children ?? [])].filter(
      (part): part is HTMLElement => part instanceof HTMLElement && !part.matches('.save-bar'),
    )
    const { activeElement: focused } = document
    for (const part of parts) part.inert = true
    return () => {
      for (const part of parts) part.inert = false
      if (document.activeElement === document.body && focused instanceof HTMLElement)
        focused.focus({ preventScroll: true })
    }
  }, [form, isLocked])

/**
 * Discards a draft. The save bar can restore changes of a stored record. For a new one, a toast offers to restore it.
 */
const useDiscardDraft = <T extends FieldValues, F, S, P>(edit: Edit<T, F, S, P>) => {
  const { actions, drafts } = useLanguage().messages
  const navigate = useNavigate()
  const { state } = useLocation()
  return () => {
    const { subject, form, files, isNew, slot } = edit
    const content = subject.writeDraft(null, form.getValues(), files)
    const run = () =>
      void slot.save(content, true).then(() => navigate(formPath(slot.form, true), { state }))
    discardChanges(edit)
    if (isNew) toast(drafts.discarded, { action: { label: actions.undo, run } })
  }
}

type BarProps = ComponentProps<typeof SaveBar>
type EditBarProps<T extends FieldValues, F, S, P> = Sent<T, F, S, P> &
  Pick<BarProps, 'label' | 'another' | 'note'> & {
    readonly leave?: BarProps['leave'] | undefined
    /** Set if the record was deleted on another device. */
    readonly deleted?: Deleted | undefined
  }

/** The save bar of such a form. A separate component, so that a key press rerenders only the bar. */
export const EditBar = <T extends FieldValues, F, S, P extends Failure<S>>({
  edit,
  sending: { saving, mayQueue, isPending },
  label,
  another,
  note,
  leave,
  deleted,
}: EditBarProps<T, F, S, P>) => {
  const { messages, locale } = useLanguage()
  const { control, formState } = edit.form
  useWatch({ control })
  const deletedBar = useDeletedBar(edit, deleted)
  const onQueue = edit.failure?.mayQueue && mayQueue ? saving.queueNext : undefined
  const discard = () => (formState.isSubmitting ? saving.stop('discard') : discardChanges(edit))
  return (
    <SaveBar
      changes={Math.max(edit.countNow(), edit.draft?.isQueued === true ? 1 : 0)}
      label={mayQueue && saving.isOffline ? messages.drafts.sendLater : label}
      another={saving.isOffline ? undefined : another}
      saving={formState.isSubmitting || isPending || edit.isSaved}
      failure={deletedBar?.failure ?? (edit.failure && { ...edit.failure, onQueue })}
      stalled={
        saving.isStalled
          ? { onQueue: mayQueue ? () => saving.stop('queue') : undefined }
          : undefined
      }
      onUndo={edit.discarded && (() => undoDiscard(edit))}
      note={note ?? draftNote(messages, locale, edit.autosave.saved)}
      leave={deletedBar?.leave ?? leave ?? { discard }}
    />
  )
}
