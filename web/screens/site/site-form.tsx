import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { FormProvider, useForm } from 'react-hook-form'

import type { ConnectorInput, Photo, SiteInput } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'
import { ErrorSummary } from '../../ui/error-summary.tsx'
import { focusFirstError, formResolver, listErrors } from '../../ui/form.ts'
import '../../ui/form.css'
import { PATHS } from '../../ui/paths.ts'
import { SaveBar } from '../../ui/save-bar.tsx'
import { ConnectorSection } from './connector-section.tsx'
import { ContactSection } from './contact-section.tsx'
import { DetailsSection } from './details-section.tsx'
import { PhotoSection } from './photo-section.tsx'
import {
  afterPartialSave,
  countKept,
  newFiles,
  removedNames,
  storedItems,
  type PhotoItem,
} from './photos.ts'
import './site-form.css'
import {
  CONNECTOR_TEXT_FIELDS,
  readConnectors,
  readSite,
  SITE_TEXT_FIELDS,
  siteFormSchema,
  toSchemaInput,
  type SiteText,
} from './site-values.ts'
import { WhereSection } from './where-section.tsx'

/** What the form hands over to be saved. */
export interface SiteSubmit {
  readonly site: Required<SiteInput>
  readonly connectors: readonly ConnectorInput[]
  readonly newPhotos: readonly File[]
  readonly removedPhotos: readonly string[]
}

/** What a save that did not work tells the form. */
export interface SiteFailure {
  readonly title: string
  readonly text: string
  /** Sentences for single fields, by name. */
  readonly fields: Readonly<Record<string, string>>
  /** Connectors that were not saved: a sentence for the row, and sentences for its fields. */
  readonly rows: ReadonlyMap<string, RowFailure>
  /** What is stored by now, when a part of it was. */
  readonly progress?: { readonly photos: readonly Photo[]; readonly sentNew: boolean } | undefined
  /** What else can be done about it. */
  readonly action?: ReactNode
}

export interface RowFailure {
  readonly text: string
  readonly fields: Readonly<Record<string, string>>
}

interface Props {
  readonly initial: SiteText
  readonly photos: readonly Photo[]
  readonly isNew: boolean
  readonly newId: () => string
  readonly save: (submit: SiteSubmit) => Promise<SiteFailure | undefined>
}

/** All that an owner says about a site, on one page. A save that fails leaves it as it was. */
export const SiteForm = ({ initial, photos, isNew, newId, save }: Props) => {
  const messages = useMessages()
  const element = useRef<HTMLFormElement>(null)
  const [items, setItems] = useState<readonly PhotoItem[]>(() => storedItems(photos))
  const [failure, setFailure] = useState<SiteFailure>()
  const resolver = useMemo(
    () => formResolver<SiteText>({ schema: siteFormSchema, toInput: toSchemaInput, messages }),
    [messages],
  )
  const form = useForm<SiteText>({
    defaultValues: initial,
    resolver,
    mode: 'onTouched',
    shouldFocusError: false,
  })
  const { errors, isDirty, isSubmitting, isSubmitted, submitCount } = form.formState
  const photosChanged =
    items.some((item) => item.kind !== 'stored') || removedNames(items).length > 0
  const preparing = items.some((item) => item.kind === 'busy')
  const idle = !isNew && !isDirty && !photosChanged && failure === undefined

  useEffect(() => {
    // The sentences of another language.
    if (isSubmitted) void form.trigger()
    // oxlint-disable-next-line react/exhaustive-deps
  }, [messages])

  const showFailure = (problem: SiteFailure, rows: readonly ConnectorInput[]) => {
    for (const name of SITE_TEXT_FIELDS) {
      const message = problem.fields[name]
      if (message !== undefined) form.setError(name, { type: 'server', message })
    }
    for (const [index, { id }] of rows.entries()) {
      for (const name of CONNECTOR_TEXT_FIELDS) {
        const message = problem.rows.get(id)?.fields[name]
        if (message !== undefined) {
          form.setError(`connectors.${index}.${name}`, { type: 'server', message })
        }
      }
    }
    if (problem.progress !== undefined) {
      const { photos: stored, sentNew } = problem.progress
      setItems((current) => afterPartialSave(current, stored, sentNew))
    }
    focusFirstError(element.current)
  }

  const submit = form.handleSubmit(
    async (values) => {
      if (idle || preparing) return
      const connectors = readConnectors(values)
      const problem = await save({
        site: readSite(values),
        connectors,
        newPhotos: newFiles(items),
        removedPhotos: removedNames(items),
      })
      setFailure(problem)
      if (problem !== undefined) showFailure(problem, connectors)
    },
    () => {
      setFailure(undefined)
      focusFirstError(element.current)
    },
  )

  const problems = listErrors(errors)
  return (
    <FormProvider {...form}>
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
              failure.action ?? (
                <button type="submit" className="button">
                  {messages.actions.retry}
                </button>
              )
            }
          >
            <p>{failure.text}</p>
          </Banner>
        ) : (
          submitCount > 0 && problems.length > 0 && <ErrorSummary errors={problems} />
        )}
        <WhereSection />
        <DetailsSection storedStatus={initial.status} />
        <ConnectorSection newId={newId} failures={failure?.rows} />
        <PhotoSection
          items={items}
          onChange={setItems}
          kept={countKept(items)}
          problem={failure?.fields['photos']}
        />
        <ContactSection />
        <SaveBar
          label={isNew ? messages.site.add : messages.site.save}
          cancelTo={PATHS.dashboard}
          saving={isSubmitting}
          idle={idle}
        >
          {preparing ? messages.site.preparing : !isNew && !idle && messages.form.unsaved}
        </SaveBar>
      </form>
    </FormProvider>
  )
}
