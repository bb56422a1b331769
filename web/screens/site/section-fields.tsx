import { useEffect, useRef, type ComponentType } from 'react'

import { COUNTRIES } from '#domain/country.ts'
import { sites } from '#domain/site.ts'
import { late } from '../../browser/lazy-component.ts'
import { useLanguage } from '../../messages/messages.ts'
import { MissingPart } from '../../ui/missing-part.tsx'
import { SelectField } from '../../ui/text-field.tsx'
import { countryName } from '../shared/field-words.ts'
import { FieldControl } from '../shared/field-control.tsx'
import type { SiteFieldName } from './site-values.ts'
import { useSiteField } from './use-field.ts'

/** The country, which people choose by its name. */
const CountryField = () => {
  const { locale, messages } = useLanguage()
  const field = useSiteField()
  const countries = COUNTRIES.map((code) => ({ code, name: countryName(code, locale) }))
  return (
    <SelectField {...field('country')}>
      <option value="">{messages.connectors.choose}</option>
      {countries
        .toSorted((one, other) => one.name.localeCompare(other.name, locale))
        .map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
    </SelectField>
  )
}

/** Fields with a control of their own; the others are drawn by their kind. */
const CONTROLS: Readonly<Partial<Record<string, ComponentType>>> = {
  opening_hours: late(
    async () => (await import('./hours-field.tsx')).HoursField,
    ['hours'],
    MissingPart,
  ),
  tariff: late(
    async () => (await import('./tariff-field.tsx')).TariffField,
    ['tariffs'],
    MissingPart,
  ),
  country: CountryField,
  time_zone: late(
    async () => (await import('./hours-field.tsx')).TimeZoneField,
    ['hours'],
    MissingPart,
  ),
}

interface Props {
  readonly names: readonly SiteFieldName[]
  /** Something in it keeps the form from being sent: the focus goes there, unless it is at an earlier one. */
  readonly isWrong: boolean
}

/** The controls of some fields of a site, in the order in which they are declared. */
export const SectionFields = ({ names, isWrong }: Props) => {
  const field = useSiteField()
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const isElsewhere = document.activeElement?.getAttribute('aria-invalid') === 'true'
    if (isWrong && !isElsewhere)
      element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    // oxlint-disable-next-line react/exhaustive-deps -- once they are there
  }, [])
  return (
    <div className="fold-fields" ref={element}>
      {names.map((name) => {
        const Control = CONTROLS[name]
        if (Control !== undefined) return <Control key={name} />
        return <FieldControl key={name} declared={sites.fields[name]} {...field(name)} />
      })}
    </div>
  )
}
