import type { FunctionComponent } from 'react'

import { COUNTRIES } from '#domain/country.ts'
import type { InputName } from '#domain/record.ts'
import { sites } from '#domain/site.ts'
import { late } from '../../browser/lazy-component.ts'
import { localeOfPage } from '../../messages/locale.ts'
import { loadMessages, useLanguage } from '../../messages/messages.ts'
import { MissingPart } from '../../ui/missing-part.tsx'
import { SelectField } from '../../ui/text-field.tsx'
import { FieldControl, type ControlProps } from './field-control.tsx'
import { countryName } from './field-words.ts'

/** What the control of a field of a site is given. */
export interface SiteControlProps extends ControlProps {
  /** What is chosen is for many sites: nothing leads away from them, and no single one is told of. */
  readonly isForMany?: boolean
}

/** The country, which people choose by its name. */
const CountryField = (props: SiteControlProps) => {
  const { isForMany: _, ...control } = props
  const { locale, messages } = useLanguage()
  const countries = COUNTRIES.map((code) => ({ code, name: countryName(code, locale) }))
  return (
    <SelectField {...control}>
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

const fetchHours = () => import('./hours-field.tsx')
const fetchTariff = () => import('./tariff-field.tsx')

/** Fields with a control of their own; the others are drawn by their kind. */
const CONTROLS: Readonly<Partial<Record<string, FunctionComponent<SiteControlProps>>>> = {
  opening_hours: late(async () => (await fetchHours()).HoursField, ['hours'], MissingPart),
  time_zone: late(async () => (await fetchHours()).TimeZoneField, ['hours'], MissingPart),
  tariff: late(async () => (await fetchTariff()).TariffField, ['tariffs'], MissingPart),
  country: CountryField,
}

/** Fetches the controls that are loaded when they are first shown, before the connection goes. */
export const fetchSiteControls = (): Promise<unknown> =>
  Promise.allSettled([
    fetchHours(),
    fetchTariff(),
    loadMessages(localeOfPage(), ['hours', 'tariffs']),
  ])

type Props = SiteControlProps & { readonly name: InputName<typeof sites> }

/** The control of any field of a site. It stands in a form of `react-hook-form`, and may suspend. */
export const SiteField = (props: Props) => {
  const Control = CONTROLS[props.name]
  if (Control !== undefined) return <Control {...props} />
  const { isForMany: _, ...control } = props
  return <FieldControl {...control} declared={sites.fields[props.name]} />
}
