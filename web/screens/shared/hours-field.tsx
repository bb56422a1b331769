import { useController, useFormContext, useWatch } from 'react-hook-form'

import type { OpeningHours } from '#domain/hours.ts'
import { hasExceptions, inZone } from '#domain/hours/exceptions.ts'
import type { sites } from '#domain/site.ts'
import { readHours, type TextsOf } from '../../format/field-text.ts'
import { zoneOrOwn } from '../../messages/hours.ts'
import { useLanguage } from '../../messages/messages.ts'
import { controlId } from '../../ui/form.ts'
import { SelectField } from '../../ui/text-field.tsx'
import { HoursEditor } from './hours-editor.tsx'
import type { SiteControlProps } from './field-control.tsx'

/** The form of a site, or of a bulk update. */
type SiteTexts = TextsOf<typeof sites>

const CHANGE = { shouldDirty: true, shouldTouch: true }

/** The opening hours of a site or of a bulk update. */
export const HoursField = (props: SiteControlProps) => {
  const {
    id = controlId('opening_hours'),
    label,
    hint,
    error,
    isForMany = false,
    isMixed = false,
  } = props
  const { setValue, getValues } = useFormContext<SiteTexts>()
  const { field } = useController<SiteTexts, 'opening_hours'>({ name: 'opening_hours' })
  const [timeZone, country] = useWatch<SiteTexts, ['time_zone', 'country']>({
    name: ['time_zone', 'country'],
  })
  const change = (hours: OpeningHours | undefined) => {
    field.onChange(hours === undefined ? '' : JSON.stringify(hours))
    // The date of an exception depends on the time zone, which is therefore stored with it.
    if (hours !== undefined && hasExceptions(hours) && getValues('time_zone') === '')
      setValue('time_zone', zoneOrOwn(''), CHANGE)
  }
  const editor = (
    <HoursEditor
      id={id}
      value={readHours(field.value)}
      onChange={change}
      error={error}
      saysNow={!isForMany}
      mayLackWeek={isMixed}
      timeZone={timeZone}
      country={country}
    />
  )
  if (!isForMany) return editor
  return (
    <fieldset className="field">
      <legend>{label}</legend>
      {hint !== undefined && <p className="hint">{hint}</p>}
      {editor}
    </fieldset>
  )
}

/** The time zone of a site. A change keeps the dates of exceptions. */
export const TimeZoneField = (props: SiteControlProps) => {
  const { isForMany: _, isMixed: __, onChange, ...control } = props
  const { locale, messages } = useLanguage()
  const { getValues, setValue } = useFormContext<SiteTexts>()
  const timeZone = useWatch<SiteTexts, 'time_zone'>({ name: 'time_zone' })
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
      {...control}
      value={timeZone}
      onChange={(event) => {
        moveExceptions(event.target.value)
        void onChange(event)
      }}
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
