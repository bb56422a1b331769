import { useController, useFormContext, useWatch } from 'react-hook-form'

import type { OpeningHours } from '#domain/hours.ts'
import { inZone } from '#domain/hours/exceptions.ts'
import { zoneOrOwn } from '../../messages/hours.ts'
import { useLanguage } from '../../messages/messages.ts'
import { controlId } from '../../ui/form.ts'
import { SelectField } from '../../ui/text-field.tsx'
import { HoursEditor } from './hours-editor.tsx'
import { readHours, type SiteText } from './site-values.ts'
import { useSiteField } from './use-field.ts'

const CHANGE = { shouldDirty: true, shouldTouch: true }

const hasExceptions = (hours: OpeningHours | undefined): boolean =>
  hours?.exceptional_openings !== undefined || hours?.exceptional_closings !== undefined

/** The opening hours in the form of a site. */
export const HoursField = () => {
  const { setValue, getValues } = useFormContext<SiteText>()
  const { field, fieldState } = useController<SiteText, 'opening_hours'>({ name: 'opening_hours' })
  const [timeZone, country] = useWatch<SiteText, ['time_zone', 'country']>({
    name: ['time_zone', 'country'],
  })
  const change = (hours: OpeningHours | undefined) => {
    field.onChange(hours === undefined ? '' : JSON.stringify(hours))
    // The day of an exception is one of a time zone: whoever reads it needs the same.
    if (hasExceptions(hours) && getValues('time_zone') === '')
      setValue('time_zone', zoneOrOwn(''), CHANGE)
  }
  return (
    <HoursEditor
      id={controlId('opening_hours')}
      value={readHours(field.value)}
      onChange={change}
      error={fieldState.error?.message}
      timeZone={timeZone}
      country={country}
    />
  )
}

/** The time zone of a site. Its exceptions stay on their days when it changes. */
export const TimeZoneField = () => {
  const { locale, messages } = useLanguage()
  const { getValues, setValue } = useFormContext<SiteText>()
  const field = useSiteField()
  const timeZone = useWatch<SiteText, 'time_zone'>({ name: 'time_zone' })
  const moveExceptions = (next: string) => {
    const hours = readHours(getValues('opening_hours'))
    if (hours === undefined || !hasExceptions(hours)) return
    const moved = inZone(hours, zoneOrOwn(timeZone), zoneOrOwn(next))
    setValue('opening_hours', JSON.stringify(moved), CHANGE)
  }
  const known = Intl.supportedValuesOf('timeZone')
  const zones = timeZone === '' || known.includes(timeZone) ? known : [timeZone, ...known]
  const name = new Intl.DateTimeFormat(locale, {
    timeZone: zoneOrOwn(timeZone),
    timeZoneName: 'longGeneric',
  })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value
  return (
    <SelectField
      {...field('time_zone', { onChange: ({ target }) => moveExceptions(String(target.value)) })}
      value={timeZone}
      hint={messages.hoursEditor.zone(name ?? zoneOrOwn(timeZone))}
    >
      <option value="">{messages.connectors.choose}</option>
      {zones.map((zone) => (
        <option key={zone} value={zone}>
          {zone.replaceAll('_', ' ')}
        </option>
      ))}
    </SelectField>
  )
}
