import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { Suspense, useEffect, useRef, useState } from 'react'
import { FormProvider, useForm, useFormContext } from 'react-hook-form'

import type { OpeningHours } from '#domain/hours.ts'
import { isOptional, type bulkNames } from '#domain/record.ts'
import { readShape, readValue, type Reading, type Value } from '#domain/schema.ts'
import { sites as siteCollection } from '#domain/site.ts'
import type { FieldsOfSites, SiteView } from '../../data/state.ts'
import { blankTexts, schemaInput, textsOf, type TextsOf } from '../../format/field-text.ts'
import { fieldErrorText, useLanguage, useMessages } from '../../messages/messages.ts'
import { Button } from '../../ui/button.tsx'
import { controlId, focusFirst, useFocusAfterSubmit } from '../../ui/form.ts'
import '../../ui/overlays.css'
import { Spinner } from '../../ui/spinner.tsx'
import { SiteField } from '../shared/site-field.tsx'

/** The name of a field that bulk updates can set. */
export type BulkName = ReturnType<typeof bulkNames<typeof siteCollection>>[number]

type Texts = TextsOf<typeof siteCollection>

interface Props {
  readonly name: BulkName
  /** The selected sites. */
  readonly sites: readonly SiteView[]
  readonly onClose: () => void
  readonly onSet: (fields: FieldsOfSites) => void
}

/** Asks for the new value of the selected sites, starting from their common value if they have one. */
export const BulkDialog = ({ name, sites, onClose, onSet }: Props) => {
  const { locale, messages } = useLanguage()
  const text = messages.many
  const element = useRef<HTMLFormElement>(null)
  const [attempts, setAttempts] = useState(0)
  const [isMixed] = useState(() => !isCommon(sites, name))
  const [defaultValues] = useState(() => commonTexts(sites, [name, ...READ_BESIDES], locale))
  const form = useForm<Texts>({ defaultValues, shouldFocusError: false })
  useFocusAfterSubmit(element, attempts)
  const submit = form.handleSubmit(async (entered) => {
    const { error, value } = await read(name, entered, isMixed)
    if (error === undefined) return onSet(await fieldsOf(name, value, entered.time_zone))
    form.setError(name, { message: fieldErrorText(messages, name, error) })
    setAttempts((before) => before + 1)
  })
  return (
    <I18nProvider locale={locale}>
      <ModalOverlay className="scrim" isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
        <Modal className="dialog-box bulk-dialog">
          <Dialog className="dialog">
            <Heading slot="title" level={2}>
              {text.title(sites.length)}
            </Heading>
            <FormProvider {...form}>
              <form
                className="stack"
                ref={element}
                noValidate
                onSubmit={(event) => {
                  if (!event.defaultPrevented) void submit(event)
                }}
              >
                <Suspense fallback={<Spinner />}>
                  <Control
                    name={name}
                    isMixed={isMixed}
                    onShown={() => focusFirst(element.current)}
                  />
                </Suspense>
                <div className="dialog-actions">
                  <Button onClick={onClose}>{messages.actions.cancel}</Button>
                  <Button type="submit" look="primary">
                    {text.set(sites.length)}
                  </Button>
                </div>
              </form>
            </FormProvider>
          </Dialog>
        </Modal>
      </ModalOverlay>
    </I18nProvider>
  )
}

interface ControlProps {
  readonly name: BulkName
  readonly isMixed: boolean
  /** Called after the first render. */
  readonly onShown: () => void
}

const Control = ({ name, isMixed, onShown }: ControlProps) => {
  const { fields, many: text } = useMessages()
  const { register, formState } = useFormContext<Texts>()
  // oxlint-disable-next-line react/exhaustive-deps -- runs once
  useEffect(onShown, [])
  const hints = [
    text.mixed,
    ...(isOptional(siteCollection.fields[name]) ? [text.clears] : []),
    ...(name === 'opening_hours' ? [text.addsExceptions] : []),
  ]
  return (
    <SiteField
      {...register(name)}
      name={name}
      id={controlId(name)}
      label={fields.sites[name]}
      hint={isMixed ? hints.join(' ') : undefined}
      error={formState.errors[name]?.message}
      isForMany
      isMixed={isMixed}
    />
  )
}

/** Fields that the controls of other fields read. */
const READ_BESIDES = ['time_zone', 'country', 'cost'] as const

const isCommon = (sites: readonly SiteView[], name: keyof Texts): boolean =>
  new Set(sites.map((site) => JSON.stringify(site[name]))).size === 1

/** The texts of the fields that have the same value at all sites; the others are blank. */
const commonTexts = (
  sites: readonly SiteView[],
  names: readonly (keyof Texts)[],
  locale: string,
): Partial<Texts> => {
  const texts = textsOf(siteCollection, sites[0] ?? {}, locale)
  return Object.fromEntries(names.map((name) => [name, isCommon(sites, name) ? texts[name] : '']))
}

const read = async (name: BulkName, entered: Texts, isMixed: boolean): Promise<Reading> => {
  const declared = siteCollection.fields[name]
  const input = schemaInput(siteCollection, { ...blankTexts(siteCollection), ...entered })
  const reading = readValue(declared, input[name])
  if (declared.kind !== 'json' || reading.error !== undefined) return reading
  const { value } = reading
  if (!isMixed || !(await isAddition(name, value))) return readShape(declared, value)
  // The week is that of each site.
  const { error } = await readShape(declared, { ...(value as OpeningHours), twentyfourseven: true })
  return error === undefined ? reading : { error }
}

/** Whether the value is added to that of each site. */
const isAddition = async (name: BulkName, value: Value): Promise<boolean> => {
  if (name !== 'opening_hours' || value === null) return false
  const { areOnlyExceptions } = await import('#domain/hours/exceptions.ts')
  return areOnlyExceptions(value as OpeningHours)
}

/**
 * Converts the value to fields. Exceptions of opening hours apply to the same dates everywhere, in the time zone of
 * each site. Without a week, they are added to the hours of each site that has any.
 */
const fieldsOf = async (name: BulkName, value: Value, timeZone: string): Promise<FieldsOfSites> => {
  if (name !== 'opening_hours' || value === null) return { [name]: value }
  const hours = value as OpeningHours
  const [{ addExceptions, areOnlyExceptions, hasExceptions, inZone }, { zoneOrOwn }] =
    await Promise.all([import('#domain/hours/exceptions.ts'), import('../../messages/hours.ts')])
  if (!hasExceptions(hours)) return { opening_hours: hours }
  const zone = zoneOrOwn(timeZone)
  const isAdded = areOnlyExceptions(hours)
  const byZone = new Map([[zone, hours]])
  return (site) => {
    if (isAdded && site.opening_hours === null) return {}
    const own = site.time_zone === '' ? zone : zoneOrOwn(site.time_zone)
    const moved = byZone.get(own) ?? inZone(hours, zone, own)
    byZone.set(own, moved)
    const opening_hours =
      isAdded && site.opening_hours ? addExceptions(site.opening_hours, moved, own) : moved
    return site.time_zone === '' ? { opening_hours, time_zone: zone } : { opening_hours }
  }
}
