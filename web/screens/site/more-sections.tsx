import { Suspense } from 'react'
import { useFormContext, useFormState, useWatch } from 'react-hook-form'

import { TARIFFS } from '#domain/collection.ts'
import { FIELD_SECTIONS, type FieldSection } from '#domain/field.ts'
import { sites } from '#domain/site.ts'
import { lazyComponent } from '../../browser/lazy-component.ts'
import { recordsIn } from '../../data/log.ts'
import { useStoreState } from '../../data/react.ts'
import { readHours } from '../../format/field-text.ts'
import { describeHours } from '../../messages/hours.ts'
import { useLanguage } from '../../messages/messages.ts'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { keyOf, type RemoteChanges } from '../shared/remote-changes.ts'
import { summariseFields } from '../shared/describe-fields.ts'
import { useNewPrice } from './use-new-price.ts'
import { fieldsIn, type SiteFieldName, type SiteText } from './site-values.ts'

interface Props {
  /** Changes of another device under the form. */
  readonly remote: RemoteChanges | undefined
}

/** The optional fields of a site, in collapsed sections. */
export const MoreSections = ({ remote }: Props) => {
  const returnedTo = useNewPrice()
  return FIELD_SECTIONS.map((section) => (
    <MoreSection key={section} {...{ section, remote, returnedTo }} />
  ))
}

interface SectionProps extends Props {
  readonly section: FieldSection
  /** The field whose value was added in another form. */
  readonly returnedTo: SiteFieldName | undefined
}

const MoreSection = ({ section, remote, returnedTo }: SectionProps) => {
  const language = useLanguage()
  const { messages } = language
  const { data } = useStoreState()
  const names = fieldsIn(section)
  const { control } = useFormContext<SiteText>()
  const { errors } = useFormState({ control, name: names })
  const texts = useWatch({ control, name: names })
  const text = messages.site.sections[section]
  if (names.length === 0) return null
  const textOf = (wanted: SiteFieldName) => texts[names.indexOf(wanted)] ?? ''
  const hours = describeHours(language, readHours(textOf('opening_hours')), textOf('time_zone'))
  const price = recordsIn(data, TARIFFS).find(({ id }) => id === textOf('tariff'))
  const summary = [hours, price?.name ?? '', summariseFields(messages, sites, names, texts)]
    .filter((words) => words !== '')
    .join(' · ')
  const isWrong = names.some((name) => errors[name] !== undefined)
  return (
    <Disclosure
      title={text.title}
      summary={summary === '' ? text.hint : summary}
      fields={names}
      forceOpen={
        isWrong || names.some((name) => name === returnedTo || isOpenConflict(remote, name))
      }
    >
      <Suspense fallback={<Spinner />}>
        <SectionFields {...{ names, isWrong, returnedTo }} />
      </Suspense>
    </Disclosure>
  )
}

const isOpenConflict = (remote: RemoteChanges | undefined, name: string): boolean =>
  remote?.conflicts.some(
    ({ conflict, chosen }) => chosen === undefined && keyOf(conflict) === name,
  ) === true

const SectionFields = lazyComponent(
  async () => (await import('./section-fields.tsx')).SectionFields,
  [],
  LoadError,
)
