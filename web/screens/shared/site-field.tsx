import type { FunctionComponent } from 'react'

import { COUNTRIES } from '#domain/country.ts'
import type { InputName } from '#domain/record.ts'
import { sites } from '#domain/site.ts'
import { lazyComponent } from '../../browser/lazy-component.ts'
import { localeOfPage } from '../../messages/locale.ts'
import { loadMessages, useLanguage } from '../../messages/messages.ts'
import { LoadError } from '../../ui/load-error.tsx'
import { SelectField } from '../../ui/text-field.tsx'
import { FieldControl, type SiteControlProps } from './field-control.tsx'
import { countryName } from './describe-fields.ts'

/** The country, chosen by name. */
const CountryField = (props: SiteControlProps) => {
  const { isForMany: _, isMixed: __, ...control } = props
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

/** Fields with a specific control; the others get one by kind. */
const CONTROLS: Readonly<Partial<Record<string, FunctionComponent<SiteControlProps>>>> = {
  opening_hours: lazyComponent(async () => (await fetchHours()).HoursField, ['hours'], LoadError),
  time_zone: lazyComponent(async () => (await fetchHours()).TimeZoneField, ['hours'], LoadError),
  tariff: lazyComponent(async () => (await fetchTariff()).TariffField, ['tariffs'], LoadError),
  country: CountryField,
}

/** Prefetches the lazy controls, in case the connection is lost. */
export const fetchSiteControls = (): Promise<unknown> =>
  Promise.allSettled([
    fetchHours(),
    fetchTariff(),
    loadMessages(localeOfPage(), ['choices', 'hours', 'tariffs']),
  ])

type Props = SiteControlProps & { readonly name: InputName<typeof sites> }

/** The control of a site's field, within a form of `react-hook-form`. May suspend. */
export const SiteField = (props: Props) => {
  const Control = CONTROLS[props.name]
  if (Control !== undefined) return <Control {...props} />
  const { isForMany: _, isMixed: __, ...control } = props
  return <FieldControl {...control} declared={sites.fields[props.name]} />
}
