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
import { focusFirst, formResolver, useFocusAfterSubmit, type Checks } from '../../ui/form.ts'
import type { Failure } from './failure.ts'
import {
  remoteChangesOf,
  isUndecided,
  joinRemoteChanges,
  keyOf,
  withChoice,
  type RemoteChanges,
} from './remote-changes.ts'
import { useDraft } from './use-draft.ts'
import { useSaving } from './use-saving.ts'

/**
 * What a form is about: how its texts (`T`) and its files (`F`) are checked, merged, counted and kept.
 * `S` is the record as another device has stored it.
 */
export interface Subject<T extends FieldValues, F, S> extends Checks<T> {
  /** The fields that a problem of the server may be shown at. */
  readonly names: readonly Path<T>[]
  /** Fields that are merged without a message. */
  readonly silent?: readonly string[]
  /** The field that holds the rows of a version. */
  readonly rows?: Path<T>
  readonly versionOf: (text: T) => Version
  readonly textOf: (version: Version) => T
  readonly merge: (base: T, mine: T, theirs: T) => Merged
  /** What is stored by now, with the files of the form over it, and how many files came or went. */
  readonly readStored: (
    stored: S,
    files: F,
    locale: string,
  ) => Content<T, F> & { mergedFiles: number }
  /** The files without what was changed in the form. */
  readonly unchanged: (files: F) => F
  /** How many things a save would change. */
  readonly count: (base: T, text: T, files: F) => number
  /** A draft; `base` is null for something new. */
  readonly writeDraft: (base: T | null, text: T, files: F) => DraftContent
}

interface Content<T, F> {
  readonly text: T
  readonly files: F
}

/** What a form starts with: what is stored, and what was kept of an earlier visit over it. */
export interface Start<T, F> extends Content<T, F> {
  readonly remote: RemoteChanges | undefined
  readonly isRestored: boolean
}

interface Options<T extends FieldValues, F, S> {
  readonly subject: Subject<T, F, S>
  /** The texts as they are stored. */
  readonly initial: T
  readonly start: () => Start<T, F>
  readonly isNew: boolean
  readonly slot: DraftSlot
  readonly draft: Draft | undefined
  /** What another device has made of the record under the form. */
  readonly newer?: S | undefined
  /** Called once what was entered was thrown away, instead of leading to the first field. */
  readonly onStartFresh?: (() => void) | undefined
}

interface State<T, F, P> extends Omit<Start<T, F>, 'text'> {
  /** What the changes are counted from; it advances with changes of another device. */
  readonly base: T
  readonly failure: P | undefined
  /** What was thrown away and can be brought back, as long as nothing else is entered. */
  readonly discarded: (Content<T, F> & { readonly remote: RemoteChanges | undefined }) | undefined
}

/** A form of a record, open. */
export interface Edit<T extends FieldValues, F, S, P>
  extends State<T, F, P>, Omit<Options<T, F, S>, 'start'> {
  readonly form: UseFormReturn<T>
  readonly element: RefObject<HTMLFormElement | null>
  readonly locale: string
  readonly change: (part: (now: State<T, F, P>) => Partial<State<T, F, P>>) => void
  /** Changes the files; what was thrown away before cannot be brought back from then on. */
  readonly setFiles: (next: (now: F) => F) => void
  readonly countNow: () => number
  readonly keeping: Pick<ReturnType<typeof useDraft>, 'kept' | 'touchNow' | 'drop' | 'finish'>
}

/** Opens a form on a record: with its draft, which it keeps from then on, and what others make of the record. */
export const useEdit = <T extends FieldValues, F, S, P>(
  options: Options<T, F, S>,
): Edit<T, F, S, P> => {
  const { subject, isNew, slot, newer } = options
  const { messages, locale } = useLanguage()
  const element = useRef<HTMLFormElement>(null)
  const [{ text, ...restored }] = useState(options.start)
  const [state, setState] = useState<State<T, F, P>>({
    ...restored,
    base: options.initial,
    failure: undefined,
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
  const keeping = useDraft({
    slot,
    isNew,
    restored: options.draft !== undefined && !options.draft.waits,
    content: () =>
      countNow() === 0
        ? undefined
        : subject.writeDraft(isNew ? null : base, form.getValues(), files),
  })
  const { touch, touchNow } = keeping
  useEffect(() => {
    const callback = () => {
      setState((now) => (now.discarded === undefined ? now : { ...now, discarded: undefined }))
      touch()
    }
    return form.subscribe({ formState: { values: true }, callback })
  }, [form, touch])
  // What waits to be sent is no draft until something is changed.
  const untouched = useRef(options.draft?.waits === true ? files : undefined)
  useEffect(() => {
    if (files === untouched.current) return
    untouched.current = undefined
    touchNow()
  }, [files, touchNow])

  useEffect(() => {
    if (isSubmitted) void form.trigger()
    // oxlint-disable-next-line react/exhaustive-deps -- only a change of the language says anew what is wrong
  }, [messages])

  const edit = { ...options, ...state, form, element, locale, change, setFiles, countNow, keeping }
  const seen = useRef<S>(undefined)
  useEffect(() => {
    // During a save, the answer brings the newer version.
    if (newer === undefined || newer === seen.current || isSubmitting) return
    seen.current = newer
    takeNewer(edit, newer)
    // oxlint-disable-next-line react/exhaustive-deps -- once for each version
  }, [newer, isSubmitting])
  return edit
}

/** Puts what another device changed into the form; what both changed is left to be chosen. */
const takeNewer = <T extends FieldValues, F, S, P>(edit: Edit<T, F, S, P>, newer: S) => {
  const { subject, form, base, files, change } = edit
  const {
    text: theirs,
    files: theirFiles,
    mergedFiles,
  } = subject.readStored(newer, files, edit.locale)
  const mine = form.getValues()
  const merged = subject.merge(base, mine, theirs)
  const rows = merged.mergedRows > 0 && subject.rows !== undefined ? [subject.rows] : []
  const { fields } = subject.versionOf(mine)
  const changed = Object.keys(fields).filter((name) => fields[name] !== merged.version.fields[name])
  putIn(edit, merged.version, changed as Path<T>[], true)
  putIn(edit, merged.version, rows, false)
  const mergedFields = merged.mergedFields.filter((name) => subject.silent?.includes(name) !== true)
  const remote = joinRemoteChanges(
    edit.remote,
    remoteChangesOf({ ...merged, mergedFields }, mergedFiles),
  )
  change(() => ({ base: theirs, files: theirFiles, remote }))
  return remote
}

const putIn = <T extends FieldValues, F, S, P>(
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

/** Decides what both sides changed. */
export const decide = <T extends FieldValues, F, S, P>(
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
    if (name !== undefined) putIn(edit, decided, [name], isField)
  }
  change(() => ({
    remote: keys.reduce<RemoteChanges>((all, each) => withChoice(all, each, chosen), {
      ...remote,
      conflicts,
    }),
  }))
}

/** What was typed since a conflict was found is mine, too. */
const withTyped = (
  { conflict, chosen }: RemoteChanges['conflicts'][number],
  { fields }: Version,
): RemoteChanges['conflicts'][number] =>
  conflict.kind === 'field' && chosen !== 'theirs'
    ? { chosen, conflict: { ...conflict, mine: fields[conflict.name] } }
    : { chosen, conflict }

/** Throws away what was entered; where something is stored, it can be brought back. */
export const startFresh = <T extends FieldValues, F, S, P>(edit: Edit<T, F, S, P>): void => {
  const { subject, form, files, remote, onStartFresh } = edit
  const discarded = { text: form.getValues(), files, remote }
  form.reset(edit.base)
  edit.change(() => ({
    files: subject.unchanged(files),
    failure: undefined,
    remote: undefined,
    isRestored: false,
    discarded,
  }))
  edit.keeping.drop()
  if (onStartFresh !== undefined) onStartFresh()
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
  /** Saves, or keeps to be sent later; `stuck` is what came of an attempt before. */
  readonly save: (keep: boolean, stuck?: P) => Promise<P | undefined>
  /** It can be kept on the device to be sent later. */
  readonly mayKeep: boolean
  /** Not now: something is still being made ready. */
  readonly isBusy?: boolean
  /** What else there is to show of a failure. */
  readonly onFailure?: (problem: P) => void
  readonly onInvalid?: () => void
}

/** Sends a form, and shows what came of it. */
export const useSubmit = <T extends FieldValues, F, S, P extends Failure<S>>(
  edit: Edit<T, F, S, P>,
  { save, mayKeep, isBusy = false, onFailure, onInvalid }: Submit<P>,
) => {
  const { subject, isNew, form, element, remote, failure, change, keeping } = edit
  const saving = useSaving()
  // Not that of the form, which begins anew when it is reset.
  const [attempts, setAttempts] = useState(0)
  useFocusAfterSubmit(element, attempts)

  const send = async () => {
    const keep = saving.takeQueueNext() && mayKeep
    if (
      isBusy ||
      (!isNew && edit.countNow() === 0 && failure === undefined && edit.draft?.waits !== true)
    )
      return
    if (remote !== undefined && isUndecided(remote)) return
    // A page that goes away in the middle then knows that all of it was sent.
    keeping.touchNow()
    const problem = await (keep
      ? save(true)
      : saving.send(() => save(false), mayKeep ? (stuck) => save(true, stuck) : undefined))
    if (problem === 'discarded') return startFresh(edit)
    const latest = problem?.newer === undefined ? undefined : takeNewer(edit, problem.newer)
    if (latest !== undefined && isUndecided(latest)) {
      change(() => ({ failure: undefined }))
      return
    }
    change(() => ({ failure: problem }))
    if (problem === undefined) return keeping.finish()
    for (const name of subject.names) {
      const message = problem.fields[name]
      if (message !== undefined) form.setError(name, { type: 'server', message })
    }
    onFailure?.(problem)
  }
  const refuse = () => {
    saving.takeQueueNext()
    onInvalid?.()
    change(() => ({ failure: undefined }))
  }
  const attempt = form.handleSubmit(send, refuse)
  const submit = async (event: FormEvent): Promise<void> => {
    await attempt(event)
    setAttempts((before) => before + 1)
  }
  return { saving, mayKeep, submit }
}
