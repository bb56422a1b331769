import { ExternalLink } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'

import { BUSINESS_LIMITS, businesses } from '#domain/business.ts'
import { formSchema } from '#domain/schema.ts'
import type { BusinessInput } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'
import { ErrorSummary } from '../../ui/error-summary.tsx'
import { controlId, focusFirstError, formResolver, listErrors } from '../../ui/form.ts'
import '../../ui/form.css'
import { PATHS } from '../../ui/paths.ts'
import { SaveBar } from '../../ui/save-bar.tsx'
import { TextArea, TextField } from '../../ui/text-field.tsx'
import { webAddress } from '../../ui/web-address.ts'
import type { Failure } from '../shared/failure.ts'
import { LogoField } from './logo-field.tsx'

const FIELDS = ['name', 'description', 'website', 'contact_email'] as const
type BusinessText = Record<(typeof FIELDS)[number], string>

const schema = formSchema(businesses, FIELDS)

interface Props {
  readonly initial: BusinessText
  /** Address of the stored logo, or empty. */
  readonly logoSrc: string
  /** The address that the person signed in with, to be used with one press. */
  readonly ownEmail: string | undefined
  /** There is something to save from the start, or only after a change. */
  readonly isNew: boolean
  readonly save: (input: BusinessInput) => Promise<Failure | undefined>
}

/** The fields of a business (spec 2). Only what was changed is handed to `save`. */
export const BusinessForm = ({ initial, logoSrc, ownEmail, isNew, save }: Props) => {
  const messages = useMessages()
  const text = messages.business
  const element = useRef<HTMLFormElement>(null)
  const [logo, setLogo] = useState<File | null>()
  const [failure, setFailure] = useState<Failure>()
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
  const { register, handleSubmit, control, setValue, setError, trigger, formState } =
    useForm<BusinessText>({
      defaultValues: initial,
      resolver,
      mode: 'onTouched',
      shouldFocusError: false,
    })
  const { errors, isDirty, isSubmitting, submitCount, isSubmitted } = formState
  const { description, website, contact_email: email } = useWatch({ control })
  const idle = !isNew && !isDirty && logo === undefined

  useEffect(() => {
    // The sentences of another language.
    if (isSubmitted) void trigger()
    // oxlint-disable-next-line react/exhaustive-deps
  }, [messages])

  const submit = handleSubmit(
    async (values) => {
      if (idle) return
      const before = (name: keyof BusinessText) => (isNew ? '' : initial[name])
      const changed = FIELDS.filter((name) => values[name].trim() !== before(name))
      const texts = Object.fromEntries(changed.map((name) => [name, values[name].trim()]))
      const problem = await save({ ...texts, ...(logo === undefined ? {} : { logo }) })
      setFailure(problem)
      if (problem === undefined) return
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

  const props = (name: (typeof FIELDS)[number]) => ({
    ...register(name),
    id: controlId(name),
    error: errors[name]?.message,
  })
  const problems = listErrors(errors)

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
      {failure !== undefined ? (
        <Banner
          tone="danger"
          title={failure.title}
          actions={
            <button type="submit" className="button">
              {messages.actions.retry}
            </button>
          }
        >
          <p>
            {failure.text} {messages.form.notSaved}
          </p>
        </Banner>
      ) : (
        submitCount > 0 && problems.length > 0 && <ErrorSummary errors={problems} />
      )}
      <div className="card form-section">
        <LogoField src={logoSrc} logo={logo} onChange={setLogo} problem={failure?.fields['logo']} />
        <TextField label={text.name} autoComplete="organization" {...props('name')} />
        <TextArea
          label={text.description}
          hint={text.descriptionHint}
          optional
          limit={BUSINESS_LIMITS.description}
          length={description?.length ?? 0}
          {...props('description')}
        />
        <TextField
          label={text.website}
          optional
          type="url"
          inputMode="url"
          autoComplete="url"
          autoCapitalize="none"
          {...props('website')}
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
        </TextField>
        <TextField
          label={text.contactEmail}
          optional
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          {...props('contact_email')}
        >
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
        </TextField>
      </div>
      <SaveBar label={text.save} cancelTo={PATHS.dashboard} saving={isSubmitting} idle={idle}>
        {!isNew && !idle && messages.form.unsaved}
      </SaveBar>
    </form>
  )
}
