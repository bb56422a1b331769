import { ExternalLink } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useFormContext, useWatch, type UseFormReturn } from 'react-hook-form'
import { useLocation } from 'react-router'

import { businesses } from '#domain/business.ts'
import type { Field } from '#domain/field.ts'
import { inputNames, type InputName } from '#domain/record.ts'
import { findErrors } from '#domain/schema.ts'
import { merge } from '../../data/merge.ts'
import type { BusinessInput, Draft, DraftSlot } from '../../data/state.ts'
import { isSameText, type TextsOf } from '../../format/field-text.ts'
import { webAddress } from '../../format/web-address.ts'
import { useMessages, type Messages } from '../../messages/messages.ts'
import { PATHS } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { controlId } from '../../ui/form.ts'
import { Disclosure } from '../../ui/disclosure.tsx'
import { revealField } from '../../ui/reveal.ts'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { EditBar, EditForm } from '../shared/edit-form.tsx'
import type { Failure } from '../shared/failure.ts'
import { FieldControl } from '../shared/field-control.tsx'
import { summariseFields } from '../shared/describe-fields.ts'
import { choiceOf } from '../shared/remote-changes.ts'
import { useEdit, useSubmit, type Edit, type Start, type Subject } from '../shared/use-edit.ts'
import { LogoField } from './logo-field.tsx'

const FIELDS = inputNames(businesses)
const isMore = (name: InputName<typeof businesses>): boolean => {
  const field: Field = businesses.fields[name]
  return field.section === 'more'
}
/** The fields with a fixed place in the form; the others follow them. */
const PLACED: readonly string[] = ['name', 'description', 'website', 'contact_email']
const OTHER_FIELDS = FIELDS.filter((name) => !PLACED.includes(name) && !isMore(name))
/** The fields for registers and roaming partners, in a collapsed section. */
const MORE_FIELDS = FIELDS.filter(isMore)
/** The fields for codes in capitals, which users often type in small letters. */
const CODES: readonly string[] = ['country_code', 'party_id']
type BusinessText = TextsOf<typeof businesses>
/** A new logo; null to remove the stored one, undefined if unchanged. */
type Logo = File | null | undefined

/** The values of a draft of this form. */
interface Values {
  /** The stored values when the draft was started; null for a new business. */
  readonly base: BusinessText | null
  readonly text: BusinessText
  readonly logo: 'same' | 'new' | 'none'
}

const changedFields = (base: BusinessText, text: BusinessText) =>
  FIELDS.filter((name) => !isSameText(businesses.fields[name], base[name], text[name]))

const SUBJECT: Subject<BusinessText, Logo, BusinessText> = {
  check: (text) => findErrors(businesses, FIELDS, text),
  // A business without a name would not be recognisable on the dashboard.
  alsoRequired: ['name'],
  names: FIELDS,
  versionOf: (fields) => ({ fields, rows: [] }),
  textOf: ({ fields }) => fields as BusinessText,
  merge,
  readStored: (text, files) => ({ text, files, mergedFiles: 0 }),
  unchanged: () => undefined,
  count: (base, text, logo) => changedFields(base, text).length + (logo === undefined ? 0 : 1),
  writeDraft: (base, text, logo) => ({
    values: {
      base,
      text,
      logo: logo === undefined ? 'same' : logo === null ? 'none' : 'new',
    } satisfies Values,
    files: logo instanceof File ? [logo] : [],
  }),
}

interface Props {
  readonly initial: BusinessText
  /** URL of the stored logo, or empty. */
  readonly logoSrc: string
  /** The user's email address, offered as a suggestion. */
  readonly ownEmail: string | undefined
  /**
   * True for a new business, which can be saved without a change. Only a change can be queued offline.
   */
  readonly isNew: boolean
  readonly slot: DraftSlot
  readonly draft: Draft | undefined
  readonly save: SaveBusiness
}

/** Saves the business, or queues it; `values` is the form as a draft. */
export type SaveBusiness = (
  input: BusinessInput,
  how: { readonly queue: boolean; readonly values: unknown },
) => Promise<Failure<BusinessText> | undefined>

/** The form of a business (spec 2). Passes only the changed fields to `save`. */
export const BusinessForm = ({ initial, logoSrc, ownEmail, isNew, slot, draft, save }: Props) => {
  const messages = useMessages()
  useLinkedField()
  const start = () => readDraft(draft, initial)
  const newer = isNew ? undefined : initial
  const edit: Edit<BusinessText, Logo, BusinessText, Failure<BusinessText>> = useEdit({
    subject: SUBJECT,
    initial,
    start,
    isNew,
    slot,
    draft,
    newer,
  })
  const { form, base, files: logo, failure } = edit
  const [isPreparing, setPreparing] = useState(false)
  const sending = useSubmit(edit, {
    mayQueue: !isNew,
    isPreparing,
    save: (queue) => {
      const text = form.getValues()
      const wanted = isNew
        ? FIELDS.filter((name) => text[name].trim() !== '')
        : changedFields(base, text)
      const input = Object.fromEntries(wanted.map((name) => [name, text[name].trim()]))
      const { values } = SUBJECT.writeDraft(isNew ? null : base, text, logo)
      return save({ ...input, ...(logo === undefined ? {} : { logo }) }, { queue, values })
    },
  })
  const labelOf: Readonly<Record<string, string>> = messages.fields.businesses
  const words: Parameters<typeof EditForm>[0]['words'] = {
    problems: (errors) =>
      errors.map(({ path, type, message }) => {
        const isWhole = type === 'validation_required'
        const named = isWhole ? message : messages.form.problemOf(labelOf[path] ?? path, message)
        return { path, type, message: named }
      }),
    merged: ({ mergedFields }) => mergedFields.map((name) => labelOf[name] ?? name),
    choices: ({ conflicts }) => conflicts.map((each) => choiceOf(each, labelOf)),
  }
  return (
    <EditForm edit={edit} sending={sending} words={words}>
      <div className="card form-section">
        <LogoField
          src={logoSrc}
          logo={logo}
          onChange={(next) => edit.setFiles(() => next)}
          isPreparing={isPreparing}
          onPreparing={setPreparing}
          onFailure={() => {
            if (sending.setPending(false)) document.getElementById('field-logo')?.focus()
          }}
          problem={failure?.fields['logo']}
        />
        <Fields ownEmail={ownEmail} />
      </div>
      <MoreFields />
      <EditBar
        edit={edit}
        sending={sending}
        label={messages.business.save}
        note={isPreparing ? messages.photos.preparing : undefined}
        leave={isNew ? { to: PATHS.dashboard } : undefined}
      />
    </EditForm>
  )
}

/** Focuses the field in the fragment of the URL, because other screens link to missing fields. */
const useLinkedField = (): void => {
  const { hash } = useLocation()
  useEffect(() => {
    const name = FIELDS.find((each) => hash === `#${each}`)
    if (name !== undefined) void revealField(name)
  }, [hash])
}

const Fields = ({ ownEmail }: Pick<Props, 'ownEmail'>) => {
  const messages = useMessages()
  const text = messages.business
  const { control, formState, register, setFocus, setValue } = useFormContext<BusinessText>()
  const [description, website, email] = useWatch({
    control,
    name: ['description', 'website', 'contact_email'],
  })
  const { errors } = formState
  const fill = (name: keyof BusinessText, value: string) =>
    setValue(name, value, { shouldDirty: true, shouldValidate: true })
  const field = (name: keyof BusinessText) => fieldOf(messages, { formState, register }, name)
  const completeWebsite = () => {
    const typed = website.trim()
    if (typed !== '' && !/^\w+:/.test(typed) && typed.includes('.')) {
      fill('website', webAddress(typed))
    }
  }
  return (
    <>
      <TextField autoComplete="organization" {...field('name')} />
      <TextArea
        hint={text.descriptionHint}
        limit={businesses.fields.description.max}
        length={description.length}
        {...field('description')}
      />
      <FieldControl
        declared={businesses.fields.website}
        {...field('website')}
        {...register('website', { onBlur: completeWebsite })}
      >
        {website.includes('.') && errors.website === undefined && (
          <div className="field-actions">
            <a
              className="button link"
              href={webAddress(website.trim())}
              target="_blank"
              rel="noopener noreferrer"
            >
              <ExternalLink className="icon" />
              {text.openWebsite}
            </a>
          </div>
        )}
      </FieldControl>
      <FieldControl declared={businesses.fields.contact_email} {...field('contact_email')}>
        {ownEmail !== undefined && ownEmail !== '' && email !== ownEmail && (
          <div className="field-actions">
            <Button
              look="link"
              onClick={() => {
                fill('contact_email', ownEmail)
                // The button disappears, and would take the focus with it.
                setFocus('contact_email')
              }}
            >
              {text.useOwnEmail}
            </Button>
          </div>
        )}
      </FieldControl>
      {OTHER_FIELDS.map((name) => (
        <FieldControl key={name} declared={businesses.fields[name]} {...field(name)} />
      ))}
    </>
  )
}

const MoreFields = () => {
  const messages = useMessages()
  const { control, formState, register } = useFormContext<BusinessText>()
  const texts = useWatch({ control, name: MORE_FIELDS })
  if (MORE_FIELDS.length === 0) return null
  const summary = summariseFields(messages, businesses, MORE_FIELDS, texts)
  const { moreTitle, moreHint } = messages.business
  return (
    <Disclosure
      title={moreTitle}
      summary={summary === '' ? moreHint : summary}
      forceOpen={MORE_FIELDS.some((name) => formState.errors[name] !== undefined)}
      fields={MORE_FIELDS}
    >
      <p className="muted">{messages.form.publicHint}</p>
      {MORE_FIELDS.map((name) => (
        <FieldControl
          key={name}
          declared={businesses.fields[name]}
          {...fieldOf(messages, { formState, register }, name)}
          {...(CODES.includes(name) && { autoCapitalize: 'characters', ...register(name, CODE) })}
        />
      ))}
    </Disclosure>
  )
}

/** Converts typed text to capitals, and shows them on blur. */
const CODE = {
  setValueAs: (typed: string) => typed.toUpperCase(),
  onBlur: ({ target }: { readonly target: HTMLInputElement }) => {
    target.value = target.value.toUpperCase()
  },
}

/** The props that connect a control to a field. */
const fieldOf = (
  messages: Messages,
  { formState, register }: Pick<UseFormReturn<BusinessText>, 'formState' | 'register'>,
  name: keyof BusinessText,
) => ({
  ...register(name),
  id: controlId(name),
  label: messages.fields.businesses[name],
  optional: name !== 'name',
  error: formState.errors[name]?.message,
})

const readDraft = (draft: Draft | undefined, stored: BusinessText): Start<BusinessText, Logo> => {
  const kept = draft?.values as Partial<Values> | null | undefined
  if (typeof kept?.text !== 'object') return { files: undefined }
  const { base = null, text, logo } = kept
  const files = logo === 'none' ? null : logo === 'new' ? draft?.files[0] : undefined
  return { files, typed: { base, text: { ...stored, ...text } } }
}
