import { Suspense, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'

import type { SiteStatus } from '#domain/site-values.ts'
import { OWNER_STATUSES, sites } from '#domain/site.ts'
import { useMessages } from '../../messages/messages.ts'
import { parseDecimal } from '../../format/decimal.ts'
import { controlId } from '../../ui/form.ts'
import { readPlace } from '../../map/coordinates.ts'
import { lazyComponent } from '../../browser/lazy-component.ts'
import { Stepper } from '../../ui/stepper.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { FieldControl } from '../shared/field-control.tsx'
import { fieldsIn, type SiteText } from './site-values.ts'
import { useCapacity } from './use-capacity.ts'
import { useSiteField } from './use-field.ts'

const OTHER_FIELDS = fieldsIn(undefined)

/** Loaded lazily: the currency depends on the position of the site. */
const PriceChips = lazyComponent(async () => (await import('./price-chips.tsx')).PriceChips)

interface Props {
  readonly storedStatus: string
  readonly isNew: boolean
}

/** Name, status, capacity and price of the site. */
export const DetailsSection = ({ storedStatus, isNew }: Props) => {
  const messages = useMessages()
  const text = messages.site
  const field = useSiteField()
  const { register, setValue, control } = useFormContext<SiteText>()
  const [capacity, cost, latitude, longitude] = useWatch({
    control,
    name: ['vehicle_capacity', 'cost', 'latitude', 'longitude'],
  })
  const { warning, setByOwner } = useCapacity(isNew)

  // A status reported by a charge point is kept until the owner chooses another.
  const machineStatus = (OWNER_STATUSES as readonly string[]).includes(storedStatus)
    ? undefined
    : (storedStatus as SiteStatus)
  const statuses: readonly SiteStatus[] = [
    ...(machineStatus === undefined ? [] : [machineStatus]),
    ...OWNER_STATUSES,
  ]
  const hints: Partial<Record<SiteStatus, string>> = text.statusHints

  const [stepped, setStepped] = useState('')
  const step = (by: number) => {
    const next = Math.round(parseDecimal(capacity) ?? 0) + by
    const value = String(Math.min(sites.fields.vehicle_capacity.max, Math.max(0, next)))
    setByOwner()
    setStepped(value)
    setValue('vehicle_capacity', value, { shouldDirty: true, shouldValidate: true })
  }

  const chip = (suggestion: string) => (
    <button
      key={suggestion}
      type="button"
      className="chip"
      aria-label={text.takeSuggestion(suggestion)}
      onClick={() => {
        setValue('cost', suggestion, { shouldDirty: true, shouldValidate: true })
        document.getElementById(controlId('cost'))?.focus()
      }}
    >
      {suggestion}
    </button>
  )

  return (
    <section className="card form-section" aria-labelledby="details-title">
      <h2 id="details-title">{text.detailsTitle}</h2>
      <TextField hint={text.nameHint} {...field('name')} />
      <fieldset className="field">
        <legend>{messages.fields.sites.status}</legend>
        <div className="choices status-choices">
          {statuses.map((status) => (
            <label key={status} className="choice">
              <input
                type="radio"
                value={status}
                id={`${controlId('status')}-${status}`}
                {...register('status')}
              />
              <span>{messages.status[status]}</span>
              <span className="choice-hint">
                {status === machineStatus ? text.statusByMachine : hints[status]}
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <Stepper
        hint={text.capacityHint}
        fewer={text.fewer}
        more={text.more}
        onStep={step}
        warning={warning}
        {...field('vehicle_capacity', { onChange: setByOwner })}
      />
      {/* A pressed button says nothing of the field that it changes. */}
      <output className="visually-hidden">{stepped}</output>
      <TextField hint={text.costHint} {...field('cost')}>
        {cost === '' && (
          <div className="chips">
            {text.costSuggestions.map(chip)}
            <Suspense>
              <PriceChips place={readPlace(latitude, longitude)} chip={chip} />
            </Suspense>
          </div>
        )}
      </TextField>
      {OTHER_FIELDS.map((name) => (
        <FieldControl key={name} declared={sites.fields[name]} {...field(name)} />
      ))}
    </section>
  )
}
