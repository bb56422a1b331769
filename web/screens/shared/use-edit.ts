import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type FormEvent,
  type RefObject,
} from 'react'
import {
  useForm,
  type DefaultValues,
  type FieldValues,
  type Path,
  type UseFormReturn,
} from 'react-hook-form'

import { keepMine, takeTheirs, type Merged, type Version } from '../../data/merge.ts'
import type { Draft, DraftContent, DraftSlot } from '../../data/state.ts'
import { useLanguage } from '../../messages/messages.ts'
import { focusFirst, formResolver, useFocusAfterSubmit, type Validation } from '../../ui/form.ts'
import type { Failure } from './failure.ts'
import {
  remoteChangesOf,
  hasUnresolvedConflicts,
  joinRemoteChanges,
  keyOf,
  withChoice,
  type RemoteChanges,
} from './remote-changes.ts'
import { useDraft } from './use-draft.ts'
import { useSaving } from './use-saving.ts'

/**
 * How the texts (`T`) and the files (`F`) of a form are validated, merged, counted and stored. `S` is the record as
 * another device has stored it.
 */
export interface Subject<T extends FieldValues, F, S> extends Validation<T> {
  /** The fields that can show an error of the server. */
  readonly names: readonly Path<T>[]
  /** Fields that are merged without a message. */
  readonly silent?: readonly string[]
  /** The field that contains the rows of a version. */
  readonly rows?: Path<T>
  readonly versionOf: (text: T) => Version
  readonly textOf: (version: Version) => T
  readonly merge: (base: Version, mine: Version, theirs: Version) => Merged
  /** Reads the stored record, with the files of the form over it, and the number of files added or removed since. */
  readonly readStored: (
    stored: S,
    files: F,
    locale: string,
  ) => Content<T, F> & { mergedFiles: number }
  /** The files without the changes of the form. */
  readonly unchanged: (files: F) => F
  /** The number of changes that a save would make. */
  readonly count: (base: T, text: T, files: F) => number
  /** Writes a draft; `base` is null for a new record. */
  readonly writeDraft: (base: T | null, text: T, files: F) => DraftContent
}

interface Content<T, F> {
  readonly text: T
  readonly files: F
}

/** The initial files of a form, and the texts of the draft of an earlier visit. */
export interface Start<T, F> {
  readonly files: F
  /** `base` has the stored texts when the draft was started; null for a new record. */
  readonly typed?: { readonly base: T | null; readonly text: T }
}

interface Options<T extends FieldValues, F, S> {
  readonly subject: Subject<T, F, S>
  /** The stored texts. */
  readonly initial: T
  readonly start: () => Start<T, F>
  readonly isNew: boolean
  readonly slot: DraftSlot
  readonly draft: Draft | undefined
  /** The record as changed by another device under the form. */
  readonly newer?: S | undefined
  /** Called after the input was discarded, instead of focusing the first field. */
  readonly onDiscard?: (() => void) | undefined
}

interface State<T, F, P> {
  readonly files: F
  readonly remote: RemoteChanges | undefined
  /** True if the form was opened with a draft, which can be discarded. */
  readonly isRestored: boolean
  /** The base of the changes; it advances with changes of another device. */
  readonly base: T
  readonly failure: P | undefined
  /** True once it is saved. It stays locked until the next screen is shown. */
  readonly isSaved: boolean
  /** The discarded input, which can be restored until something else is entered. */
  readonly discarded: (Content<T, F> & { readonly remote: RemoteChanges | undefined }) | undefined
}

/** An open form of a record. */
export interface Edit<T extends FieldValues, F, S, P>
  extends State<T, F, P>, Omit<Options<T, F, S>, 'start'> {
  readonly form: UseFormReturn<T>
  readonly element: RefObject<HTMLFormElement | null>
  readonly locale: string
  readonly change: (part: (now: State<T, F, P>) => Partial<State<T, F, P>>) => void
  /** Changes the files. Discarded input can then no longer be restored. */
  readonly setFiles: (next: (now: F) => F) => void
  readonly countNow: () => number
  readonly autosave: Pick<ReturnType<typeof useDraft>, 'saved' | 'touchNow' | 'drop' | 'finish'>
}

/** Opens the form of a record: restores its draft, stores further drafts, and merges changes of other devices. */
export const useEdit = <T extends FieldValues, F, S, P>(
  options: Options<T, F, S>,
): Edit<T, F, S, P> => {
  const { subject, isNew, slot, newer } = options
  const { messages, locale } = useLanguage()
  const element = useRef<HTMLFormElement>(null)
  const [{ text, ...restored }] = useState(() => restoreDraft(options))
  const [state, setState] = useState<State<T, F, P>>({
    ...restored,
    base: options.initial,
    failure: undefined,
    isSaved: false,
    discarded: undefined,
  })
  const change: Edit<T, F, S, P>['change'] = useCallback(
    (part) => setState((now) => ({ ...now, ...part(now) })),
    [],
  )
  const setFiles: Edit<T, F, S, P>['setFiles'] = useCallback(
    (next) => change(({ files }) => ({ files: next(files), discarded: undefined })),
    [change],
  )
  const resolver = useMemo(() => formResolver<T>({ ...subject, messages }), [subject, messages])
  const form = useForm<T>({
    defaultValues: text as DefaultValues<T>,
    resolver,
    mode: 'onTouched',
    shouldFocusError: false,
  })
  const { base, files } = state
  const { isSubmitted, isSubmitting } = form.formState
  const countNow = () => subject.count(base, form.getValues(), files)
  const autosave = useDraft({
    slot,
    isNew,
    restored: options.draft !== undefined && !options.draft.isQueued,
    content: () =>
      countNow() === 0
        ? undefined
        : subject.writeDraft(isNew ? null : base, form.getValues(), files),
  })
  const { touch, touchNow } = autosave
  useEffect(() => {
    const callback = () => {
      setState((now) => (now.discarded === undefined ? now : { ...now, discarded: undefined }))
      touch()
    }
    return form.subscribe({ formState: { values: true }, callback })
  }, [form, touch])
  // A queued write is not a draft until something is changed.
  const untouched = useRef(options.draft?.isQueued === true ? files : undefined)
  useEffect(() => {
    if (files === untouched.current) return
    untouched.current = undefined
    touchNow()
  }, [files, touchNow])

  useEffect(() => {
    if (isSubmitted) void form.trigger()
    // oxlint-disable-next-line react/exhaustive-deps -- only a change of the language rewords the errors
  }, [messages])

  const edit = { ...options, ...state, form, element, locale, change, setFiles, countNow, autosave }
  const seen = useRef<S>(undefined)
  useEffect(() => {
    // During a save, the response contains the newer version.
    if (newer === undefined || newer === seen.current || isSubmitting) return
    seen.current = newer
    mergeNewer(edit, newer)
    // oxlint-disable-next-line react/exhaustive-deps -- once per version
  }, [newer, isSubmitting])
  return edit
}

type Mergeable<T extends FieldValues, F, S> = Pick<
  Subject<T, F, S>,
  'merge' | 'versionOf' | 'textOf'
>

/** The stored texts, with those of a draft over them: merged, because both may have changed since. */
export const restoreDraft = <T extends FieldValues, F, S>(
  options: Pick<Options<T, F, S>, 'initial' | 'start' | 'isNew' | 'draft'> & {
    readonly subject: Mergeable<T, F, S>
  },
) => {
  const { subject, initial, start, isNew, draft } = options
  const { files, typed } = start()
  if (typed === undefined) return { text: initial, files, remote: undefined, isRestored: false }
  const { base, text } = typed
  // The draft of a new record that was edited while its creation was queued has a base, but nothing is stored.
  if (base === null || isNew || draft?.isNew === true)
    return { text, files, remote: undefined, isRestored: true }
  const merged = mergeTexts(subject, base, text, initial)
  const remote = remoteChangesOf(merged)
  return { text: subject.textOf(merged.version), files, remote, isRestored: true }
}

const mergeTexts = <T extends FieldValues, F, S>(
  { merge, versionOf }: Mergeable<T, F, S>,
  base: T,
  mine: T,
  theirs: T,
): Merged => merge(versionOf(base), versionOf(mine), versionOf(theirs))

/** Merges the changes of another device into the form; conflicts are left to the user. */
const mergeNewer = <T extends FieldValues, F, S, P>(edit: Edit<T, F, S, P>, newer: S) => {
  const { subject, form, base, files, change } = edit
  const {
    text: theirs,
    files: theirFiles,
    mergedFiles,
  } = subject.readStored(newer, files, edit.locale)
  const mine = form.getValues()
  const merged = mergeTexts(subject, base, mine, theirs)
  const rows = merged.mergedRows > 0 && subject.rows !== undefined ? [subject.rows] : []
  const { fields } = subject.versionOf(mine)
  const changed = Object.keys(fields).filter((name) => fields[name] !== merged.version.fields[name])
  setFields(edit, merged.version, changed as Path<T>[], true)
  setFields(edit, merged.version, rows, false)
  const mergedFields = merged.mergedFields.filter((name) => subject.silent?.includes(name) !== true)
  const remote = joinRemoteChanges(
    edit.remote,
    remoteChangesOf({ ...merged, mergedFields }, mergedFiles),
  )
  change(() => ({ base: theirs, files: theirFiles, remote }))
  return remote
}

const setFields = <T extends FieldValues, F, S, P>(
  { subject, form }: Edit<T, F, S, P>,
  version: Version,
  names: readonly Path<T>[],
  shouldValidate: boolean,
): void => {
  const text = subject.textOf(version)
  for (const name of names) {
    form.setValue(name, text[name], { shouldValidate })
  }
}

/** Resolves conflicts. */
export const resolveConflicts = <T extends FieldValues, F, S, P>(
  edit: Edit<T, F, S, P>,
  keys: readonly string[],
  chosen: 'mine' | 'theirs',
): void => {
  const { subject, form, remote, change } = edit
  if (remote === undefined) return
  const version = subject.versionOf(form.getValues())
  const conflicts = remote.conflicts.map((each) => withTyped(each, version))
  const found = conflicts
    .map(({ conflict }) => conflict)
    .filter((conflict) => keys.includes(keyOf(conflict)))
  const decided = found.reduce(chosen === 'mine' ? keepMine : takeTheirs, version)
  for (const conflict of found) {
    const isField = conflict.kind === 'field'
    const name = isField ? (conflict.name as Path<T>) : subject.rows
    if (name !== undefined) setFields(edit, decided, [name], isField)
  }
  change(() => ({
    remote: keys.reduce<RemoteChanges>((all, each) => withChoice(all, each, chosen), {
      ...remote,
      conflicts,
    }),
  }))
}

/** Input typed since a conflict was found is also mine. */
const withTyped = (
  { conflict, chosen }: RemoteChanges['conflicts'][number],
  { fields }: Version,
): RemoteChanges['conflicts'][number] =>
  conflict.kind === 'field' && chosen !== 'theirs'
    ? { chosen, conflict: { ...conflict, mine: fields[conflict.name] } }
    : { chosen, conflict }

/** Discards the input. It can be restored if the record is stored. */
export const discardChanges = <T extends FieldValues, F, S, P>(edit: Edit<T, F, S, P>): void => {
  const { subject, form, files, remote, onDiscard } = edit
  const discarded = { text: form.getValues(), files, remote }
  form.reset(edit.base)
  edit.change(() => ({
    files: subject.unchanged(files),
    failure: undefined,
    remote: undefined,
    isRestored: false,
    discarded,
  }))
  edit.autosave.drop()
  if (onDiscard !== undefined) onDiscard()
  else if (edit.isNew) focusFirst(edit.element.current)
}

export const undoDiscard = <T extends FieldValues, F, S, P>(edit: Edit<T, F, S, P>): void => {
  if (edit.discarded === undefined) return
  const { text, files, remote } = edit.discarded
  edit.form.reset(text, { keepDefaultValues: true })
  edit.change(() => ({ files, remote, discarded: undefined }))
  focusFirst(edit.element.current)
}

interface Submit<P> {
  /** Saves, or queues the write if `queue` is set; `stuck` is the outcome of the attempt before. */
  readonly save: (queue: boolean, stuck?: P) => Promise<P | undefined>
  /** Whether the write can be queued on the device. */
  readonly mayQueue: boolean
  /** True if the form cannot be sent. */
  readonly isBlocked?: boolean
  /** True while files are being prepared. A form that is submitted meanwhile is sent when they are ready. */
  readonly isPreparing?: boolean
  /** Shows further parts of a failure. */
  readonly onFailure?: (problem: P) => void
  readonly onInvalid?: () => void
}

/** Sends a form, and shows the outcome. */
export const useSubmit = <T extends FieldValues, F, S, P extends Failure<S>>(
  edit: Edit<T, F, S, P>,
  { save, mayQueue, isBlocked = false, isPreparing = false, onFailure, onInvalid }: Submit<P>,
) => {
  const { subject, isNew, form, element, remote, failure, change, autosave } = edit
  const saving = useSaving()
  // Not the count of the form, which a reset clears.
  const [attempts, setAttempts] = useState(0)
  useFocusAfterSubmit(element, attempts)
  const { isPending, setPending } = usePendingSubmit(element, isPreparing)

  const send = async () => {
    if (isPreparing && !isBlocked) return void setPending(true)
    const queue = saving.takeQueueNext() && mayQueue
    if (
      isBlocked ||
      (!isNew && edit.countNow() === 0 && failure === undefined && edit.draft?.isQueued !== true)
    )
      return
    if (hasUnresolvedConflicts(remote)) return
    // Stores the draft first, so that it is not newer than the write if the page closes during the save.
    autosave.touchNow()
    const problem = await (queue
      ? save(true)
      : saving.send(() => save(false), mayQueue ? (stuck) => save(true, stuck) : undefined))
    if (problem === 'discarded') return discardChanges(edit)
    const latest = problem?.newer === undefined ? undefined : mergeNewer(edit, problem.newer)
    if (hasUnresolvedConflicts(latest)) {
      change(() => ({ failure: undefined }))
      return
    }
    change(() => ({ failure: problem }))
    if (problem === undefined) {
      change(() => ({ isSaved: true }))
      return autosave.finish()
    }
    for (const name of subject.names) {
      const message = problem.fields[name]
      if (message !== undefined) form.setError(name, { type: 'server', message })
    }
    onFailure?.(problem)
  }
  /** Forgets with which button an invalid form was sent. */
  const refuse = () => {
    setPending(false)
    saving.takeQueueNext()
    onInvalid?.()
    change(() => ({ failure: undefined }))
  }
  const attempt = form.handleSubmit(send, refuse)
  const submit = async (event: FormEvent): Promise<void> => {
    if (!isPreparing) setPending(false)
    await attempt(event)
    setAttempts((before) => before + 1)
  }
  return { saving, mayQueue, submit, refuse, isPending, setPending }
}

/** A submit that waits until files are prepared. `setPending` returns whether there was one. */
const usePendingSubmit = (element: RefObject<HTMLFormElement | null>, isPreparing: boolean) => {
  const pending = useRef(false)
  const [isPending, show] = useState(false)
  const setPending = useCallback((isNow: boolean): boolean => {
    const wasPending = pending.current
    show((pending.current = isNow))
    return wasPending
  }, [])
  useEffect(() => {
    if (isPending && !isPreparing) element.current?.requestSubmit()
  }, [isPending, isPreparing, element])
  return { isPending, setPending }
}
