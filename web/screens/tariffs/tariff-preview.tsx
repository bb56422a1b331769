import { useState } from 'react'

import type { Standard } from '#domain/connector.ts'
import { impliedBy } from '#domain/plug.ts'
import type { SaidTariff } from '#domain/tariff-sentence.ts'
import { DAYS_OF_WEEK, type Restrictions } from '#domain/tariff-element.ts'
import { parseDecimal } from '../../format/decimal.ts'
import { useLanguage } from '../../messages/messages.ts'
import { shortPlugName } from '../../messages/plugs.ts'
import { SelectField, TextField } from '../../ui/text-field.tsx'
import { USUAL_EXAMPLE, useTariffExample } from '../../traveller/use-tariff-example.ts'
import { useTariffSentence } from '../../traveller/use-tariff-sentence.ts'

interface Props {
  /** Undefined without a valid price. */
  readonly tariff: SaidTariff | undefined
}

/** Describes a tariff, with an example that the user can change. */
export const TariffPreview = ({ tariff }: Props) => {
  const { messages } = useLanguage()
  const text = messages.tariffs
  const describeTariff = useTariffSentence()
  return (
    <section className="card form-section tariff-preview" aria-labelledby="preview-title">
      <h2 id="preview-title">{text.previewTitle}</h2>
      {tariff === undefined ? (
        <p className="muted">{text.emptyPreview}</p>
      ) : (
        <>
          <p className="tariff-sentence">{describeTariff(tariff)}</p>
          <Example tariff={tariff} />
        </>
      )}
    </section>
  )
}

const FIELDS = ['kwh', 'minutes', 'idle', 'kw'] as const
type Input = Record<(typeof FIELDS)[number], string> & {
  readonly plug: Standard
  readonly day: string
  readonly time: string
}
const START: Input = {
  kwh: String(USUAL_EXAMPLE.kwh),
  minutes: String(USUAL_EXAMPLE.chargingS / 60),
  idle: '0',
  kw: '',
  plug: USUAL_EXAMPLE.plug.standard,
  day: String(USUAL_EXAMPLE.day),
  time: USUAL_EXAMPLE.time,
}

const Example = ({ tariff }: { readonly tariff: SaidTariff }) => {
  const { messages, locale } = useLanguage()
  const text = messages.tariffs
  const [input, setInput] = useState(START)
  const set = (name: keyof Input, value: string) => setInput((now) => ({ ...now, [name]: value }))
  const matters = whatMatters(tariff)
  const shown = FIELDS.filter((name) => (name in matters ? matters[name as 'idle' | 'kw'] : true))
  return (
    <div className="tariff-example">
      <h3>{text.exampleTitle}</h3>
      <div className="pair">
        {shown.map((name) => (
          <TextField
            key={name}
            label={text.example[name]}
            inputMode="decimal"
            optional={name === 'kw'}
            value={input[name]}
            onChange={(event) => set(name, event.target.value)}
          />
        ))}
        {matters.plugs.length > 0 && (
          <SelectField
            label={text.example.plug}
            value={input.plug}
            onChange={(event) => set('plug', event.target.value)}
          >
            {matters.plugs.map((standard) => (
              <option key={standard} value={standard}>
                {shortPlugName(messages, standard)}
              </option>
            ))}
          </SelectField>
        )}
        {matters.start && (
          <>
            <SelectField
              label={text.example.day}
              value={input.day}
              onChange={(event) => set('day', event.target.value)}
            >
              {DAYS_OF_WEEK.map((day, index) => (
                <option key={day} value={index}>
                  {weekdayName(index, locale)}
                </option>
              ))}
            </SelectField>
            <TextField
              label={text.example.time}
              type="time"
              value={input.time}
              onChange={(event) => set('time', event.target.value)}
            />
          </>
        )}
      </div>
      <output className="tariff-costs">
        <Costs tariff={tariff} input={input} />
      </output>
    </div>
  )
}

/** Formats the cost of the example: `20 kWh in 40 minutes: €11.80`. */
const Costs = ({ tariff, input }: { readonly tariff: SaidTariff; readonly input: Input }) => {
  const describeExample = useTariffExample()
  const [kwh, minutes, idle, kw] = FIELDS.map((name) => parseDecimal(input[name]))
  if (kwh === undefined || minutes === undefined || kwh < 0 || minutes < 0) return '–'
  const { text: sentence, withVat } = describeExample(tariff, {
    kwh,
    chargingS: Math.min(Math.round(minutes * 60), MAX_S),
    idleS: Math.min(Math.round((idle ?? 0) * 60), MAX_S),
    kw,
    plug: {
      standard: input.plug,
      current_type: impliedBy(input.plug).current_type ?? 'AC_3_PHASE',
    },
    day: Number(input.day),
    time: input.time || USUAL_EXAMPLE.time,
  })
  return (
    <>
      <strong>{sentence}</strong>
      {withVat !== undefined && <span>{withVat}</span>}
    </>
  )
}

/** A week, in seconds. */
const MAX_S = 604_800

/** The inputs of an example that affect its cost. */
const whatMatters = ({ elements }: SaidTariff) => {
  const restrictions = elements.map((element) => element.restrictions ?? {})
  const has = (...names: readonly (keyof Restrictions)[]) =>
    restrictions.some((each) => names.some((name) => each[name] !== undefined))
  const plugs: readonly Standard[] = has('current', 'standards')
    ? [
        ...new Set<Standard>([
          'IEC_62196_T2',
          'IEC_62196_T2_COMBO',
          ...restrictions.flatMap(({ standards = [] }) => standards),
        ]),
      ]
    : []
  return {
    idle: elements.some(({ price_components }) =>
      price_components.some(({ type }) => type === 'PARKING_TIME'),
    ),
    kw: has('min_power', 'max_power', 'min_current', 'max_current'),
    start: has('start_time', 'end_time', 'day_of_week'),
    plugs,
  }
}

/** The name of a day, Monday being 0. */
export const weekdayName = (
  index: number,
  locale: string,
  weekday: 'long' | 'short' = 'long',
): string =>
  // 2026-06-01 is a Monday.
  new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' }).format(Date.UTC(2026, 5, 1 + index))
