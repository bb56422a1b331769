import { ExternalLink } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'

import { businesses } from '#domain/business.ts'
import { inputNames } from '#domain/record.ts'
import { formSchema } from '#domain/schema.ts'
import { keepMine, merge, takeTheirs } from '../../data/merge.ts'
import type { BusinessInput, Draft, DraftContent, DraftSlot } from '../../data/state.ts'
import { useLanguage } from '../../messages/messages.ts'
import { ErrorSummary } from '../../ui/error-summary.tsx'
import { controlId, focusFirst, focusFirstError, formResolver, listErrors } from '../../ui/form.ts'
import '../../ui/form.css'
import { PATHS } from '../../paths.ts'
import { SaveBar } from '../../ui/save-bar.tsx'
import { TextArea, TextField } from '../../ui/text-field.tsx'
import type { TextsOf } from '../../format/field-text.ts'
import { webAddress } from '../../format/web-address.ts'
import { ConflictBanner } from '../shared/conflict-banner.tsx'
import { FieldControl } from '../shared/field-control.tsx'
import { DraftBanner } from '../shared/draft-banner.tsx'
import { draftNote } from '../shared/draft-note.ts'
import {
  choiceOf,
  elsewhereOf,
  focusChoice,
  isUndecided,
  keyOf,
  withChoice,
  type Elsewhere,
} from '../shared/remote-changes.ts'
import type { Failure } from '../shared/failure.ts'
import { useDraft } from '../shared/use-draft.ts'
import { useSaving } from '../shared/use-saving.ts'
import { LogoField } from './logo-field.tsx'

const FIELDS = inputNames(businesses)
/** The fields that have a place of their own in the form; the others come behind them. */
const PLACED: readonly string[] = ['name', 'description', 'website', 'contact_email']
const OTHER_FIELDS = FIELDS.filter((name) => !PLACED.includes(name))
type BusinessText = TextsOf<typeof businesses>

const schema = formSchema(businesses, FIELDS)

interface Props {
  readonly initial: BusinessText
  /** Address of the stored logo, or empty. */
  readonly logoSrc: string
  /** The address that the person signed in with, to be used with one press. */
  readonly ownEmail: string | undefined
  /** There is something to save from the start, or only after a change. */
  readonly isNew: boolean
  readonly slot: DraftSlot
  readonly draft: Draft | undefined
  readonly save: SaveBusiness
  /** It can be kept on the device to be sent later. */
  readonly mayKeep?: boolean
}

/** Saves the business, or keeps it to be sent later; `values` is the form as a draft. */
export type SaveBusiness = (
  input: BusinessInput,
  how: { readonly keep: boolean; readonly values: unknown },
) => Promise<Failure | undefined>

/** What a draft of this form is made of. */
interface Values {
  /** What was stored when the draft was begun. */
  readonly base: BusinessText
  readonly text: BusinessText
  readonly logo: 'same' | 'new' | 'none'
}

/** What was thrown away and can be brought back, as long as nothing else is entered. */
interface Discarded {
  readonly text: BusinessText
  readonly logo: File | null | undefined
  readonly elsewhere: Elsewhere | undefined
  /** What stands there instead. */
  readonly blank: string
}

/** The fields of a business (spec 2). Only what was changed is handed to `save`. */
export const BusinessForm = (props: Props) => {
  const { initial, logoSrc, ownEmail, isNew, slot, draft, save, mayKeep = false } = props
  const { messages, locale } = useLanguage()
  const text = messages.business
  const saving = useSaving()
  const element = useRef<HTMLFormElement>(null)
  const [restored] = useState(() => readDraft(draft, initial))
  const [isRestored, setRestored] = useState(draft !== undefined)
  // What the changes are counted from; it moves on when something is changed elsewhere.
  const [base, setBase] = useState(initial)
  const [logo, setLogo] = useState<File | null | undefined>(restored?.logo)
  const [elsewhere, setElsewhere] = useState<Elsewhere | undefined>(restored?.elsewhere)
  const [failure, setFailure] = useState<Failure>()
  const [discarded, setDiscarded] = useState<Discarded>()
  const resolver = useMemo(
    () =>
      formResolver<BusinessText>({
        schema,
        toInput: (values) => values,
        alsoRequired: ['name'],
        messages,
      }),
    [messages],
  )
  const {
    register,
    handleSubmit,
    control,
    setValue,
    getValues,
    reset,
    setError,
    trigger,
    formState,
  } = useForm<BusinessText>({
    defaultValues: restored?.text ?? initial,
    resolver,
    mode: 'onTouched',
    shouldFocusError: false,
  })
  const { errors, isSubmitting, submitCount, isSubmitted } = formState
  const values = { ...initial, ...useWatch({ control }) }
  const { description, website, contact_email: email } = values
  const changed = FIELDS.filter((name) => values[name].trim() !== base[name])
  const changes = changed.length + (logo === undefined ? 0 : 1)

  const content = (): DraftContent => ({
    values: {
      base,
      text: getValues(),
      logo: logo === undefined ? 'same' : logo === null ? 'none' : 'new',
    } satisfies Values,
    files: logo instanceof File ? [logo] : [],
  })
  const { kept, touch, touchNow, drop, finish } = useDraft({
    slot,
    isNew,
    restored: draft !== undefined && !draft.waits,
    content: () => (changes === 0 ? undefined : content()),
  })
  const current = JSON.stringify(values)
  useEffect(() => {
    setDiscarded((before) => (before?.blank === current ? before : undefined))
    touch()
  }, [current, touch])
  useEffect(() => touchNow(), [logo, touchNow])

  useEffect(() => {
    if (isSubmitted) void trigger()
    // oxlint-disable-next-line react/exhaustive-deps -- only a change of the language says anew what is wrong
  }, [messages])

  const stored = JSON.stringify(initial)
  useEffect(() => {
    // Another device changed the business under the form; own saves tell themselves.
    if (isNew || isSubmitting || isSame(initial, base)) return
    const merged = mergeTexts(base, getValues(), initial)
    setBase(initial)
    setElsewhere((before) => merged.elsewhere ?? before)
    for (const name of FIELDS) setValue(name, merged.text[name])
    // oxlint-disable-next-line react/exhaustive-deps -- only what is stored matters
  }, [stored, isSubmitting])

  const startFresh = () => {
    const before = { text: getValues(), logo, elsewhere, blank: JSON.stringify(initial) }
    reset(initial)
    setLogo(undefined)
    setFailure(undefined)
    setElsewhere(undefined)
    setRestored(false)
    drop()
    if (isNew) focusFirst(element.current)
    else setDiscarded(before)
  }

  const undoDiscard = (before: Discarded) => {
    reset(before.text, { keepDefaultValues: true })
    setLogo(before.logo)
    setElsewhere(before.elsewhere)
    setDiscarded(undefined)
    focusFirst(element.current)
  }

  const choose = (name: string, chosen: 'mine' | 'theirs') => {
    const found = elsewhere?.conflicts.find(({ conflict }) => keyOf(conflict) === name)
    if (found === undefined || elsewhere === undefined) return
    const decide = chosen === 'mine' ? keepMine : takeTheirs
    const { fields } = decide({ fields: getValues(), rows: [] }, found.conflict)
    setValue(name as keyof BusinessText, String(fields[name]), { shouldValidate: true })
    setElsewhere(withChoice(elsewhere, name, chosen))
  }

  const submit = handleSubmit(
    async () => {
      const keep = saving.takeKept() && mayKeep
      if (!isNew && changes === 0) return
      if (elsewhere !== undefined && isUndecided(elsewhere)) return focusChoice(element.current)
      const wanted = isNew ? FIELDS.filter((name) => values[name].trim() !== '') : changed
      const input = {
        ...Object.fromEntries(wanted.map((name) => [name, values[name].trim()])),
        ...(logo === undefined ? {} : { logo }),
      }
      const { values: draftValues } = content()
      const saveKept = () => save(input, { keep: true, values: draftValues })
      const problem = await (keep
        ? saveKept()
        : saving.send(
            () => save(input, { keep: false, values: draftValues }),
            mayKeep ? saveKept : undefined,
          ))
      if (problem === 'discarded') return startFresh()
      setFailure(problem)
      if (problem === undefined) return finish()
      for (const name of FIELDS) {
        const message = problem.fields[name]
        if (message !== undefined) setError(name, { type: 'server', message })
      }
      if (FIELDS.some((name) => problem.fields[name] !== undefined)) {
        focusFirstError(element.current)
      }
    },
    () => {
      setFailure(undefined)
      focusFirstError(element.current)
    },
  )

  const field = (name: (typeof FIELDS)[number]) => ({
    ...register(name),
    id: controlId(name),
    label: messages.fields.businesses[name],
    // A business without a name cannot be told apart on the dashboard.
    optional: name !== 'name',
    error: errors[name]?.message,
  })
  const labelOf: Readonly<Record<string, string>> = messages.fields.businesses

  const problems = listErrors(errors).map(({ path, type, message }) => ({
    path,
    message:
      type === 'validation_required'
        ? message
        : messages.form.problemOf(labelOf[path] ?? path, message),
  }))

  return (
    <form
      className="form"
      ref={element}
      noValidate
      aria-busy={isSubmitting}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSubmitting) void submit(event)
      }}
    >
      {failure === undefined && submitCount > 0 && problems.length > 0 && (
        <ErrorSummary errors={problems} />
      )}
      {isRestored && draft !== undefined && (
        <DraftBanner
          draft={draft}
          onContinue={() => {
            setRestored(false)
            focusFirst(element.current)
          }}
          onStartFresh={startFresh}
        />
      )}
      {elsewhere !== undefined && (
        <ConflictBanner
          at={elsewhere.at}
          taken={elsewhere.mergedFields.map((name) => labelOf[name] ?? name)}
          choices={elsewhere.conflicts.map((each) => choiceOf(each, labelOf))}
          onChoose={choose}
        />
      )}
      <div className="card form-section">
        <LogoField src={logoSrc} logo={logo} onChange={setLogo} problem={failure?.fields['logo']} />
        <TextField autoComplete="organization" {...field('name')} />
        <TextArea
          hint={text.descriptionHint}
          limit={businesses.fields.description.max}
          length={description?.length ?? 0}
          {...field('description')}
        />
        <FieldControl
          declared={businesses.fields.website}
          {...field('website')}
          {...register('website', {
            onBlur: () => {
              const typed = website?.trim() ?? ''
              if (typed !== '' && !/^\w+:/.test(typed) && typed.includes('.')) {
                setValue('website', webAddress(typed), {
                  shouldDirty: true,
                  shouldValidate: true,
                })
              }
            },
          })}
        >
          {website !== undefined && website.includes('.') && errors.website === undefined && (
            <div className="field-actions">
              <a
                className="button link"
                href={webAddress(website.trim())}
                target="_blank"
                rel="noopener noreferrer"
              >
                <ExternalLink className="icon" aria-hidden="true" />
                {text.openWebsite}
              </a>
            </div>
          )}
        </FieldControl>
        <FieldControl declared={businesses.fields.contact_email} {...field('contact_email')}>
          {ownEmail !== undefined && ownEmail !== '' && email !== ownEmail && (
            <div className="field-actions">
              <button
                type="button"
                className="button link"
                onClick={() =>
                  setValue('contact_email', ownEmail, { shouldDirty: true, shouldValidate: true })
                }
              >
                {text.useOwnEmail}
              </button>
            </div>
          )}
        </FieldControl>
        {OTHER_FIELDS.map((name) => (
          <FieldControl key={name} declared={businesses.fields[name]} {...field(name)} />
        ))}
      </div>
      <SaveBar
        label={mayKeep && saving.isOffline ? messages.drafts.sendLater : text.save}
        saving={isSubmitting}
        changes={changes}
        failure={
          failure && {
            title: failure.title,
            text: `${failure.text} ${messages.form.notSaved}`,
            onLater: failure.mayKeep && mayKeep ? saving.wantKept : undefined,
          }
        }
        standstill={
          saving.isStalled
            ? { onLater: mayKeep ? () => saving.stop('keep') : undefined }
            : undefined
        }
        onUndo={discarded && logo === undefined ? () => undoDiscard(discarded) : undefined}
        note={draftNote(messages, locale, kept)}
        leave={
          isNew
            ? { to: PATHS.dashboard }
            : { discard: () => (isSubmitting ? saving.stop('discard') : startFresh()) }
        }
      />
    </form>
  )
}

/** What a draft says, put together with what is stored by now. */
const readDraft = (draft: Draft | undefined, stored: BusinessText) => {
  const kept = draft?.values as Partial<Values> | null | undefined
  if (draft === undefined || typeof kept?.text !== 'object') return undefined
  const text = { ...stored, ...kept.text }
  const [file] = draft.files
  return {
    logo: kept.logo === 'none' ? null : kept.logo === 'new' ? file : undefined,
    ...(draft.isNew
      ? { text, elsewhere: undefined }
      : mergeTexts(kept.base ?? stored, text, stored)),
  }
}

/** What is typed here and what is stored by now, as one. */
const mergeTexts = (base: BusinessText, mine: BusinessText, theirs: BusinessText) => {
  const merged = merge(
    { fields: base, rows: [] },
    { fields: mine, rows: [] },
    { fields: theirs, rows: [] },
  )
  return { text: merged.version.fields as BusinessText, elsewhere: elsewhereOf(merged) }
}

const isSame = (one: BusinessText, other: BusinessText): boolean =>
  FIELDS.every((name) => one[name] === other[name])
