import { ArrowUp, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'

import { COMMON_STANDARDS_COUNT, STANDARDS } from '#domain/connector.ts'
import { conditionsOf } from '#domain/tariff-sentence.ts'
import { CURRENTS, DAYS_OF_WEEK } from '#domain/tariff-element.ts'
import { useLanguage } from '../../messages/messages.ts'
import { shortPlugName } from '../../messages/plugs.ts'
import { IconButton } from '../../ui/button.tsx'
import { controlId } from '../../ui/form.ts'
import { SelectField, TextField } from '../../ui/text-field.tsx'
import {
  PRICE_NAMES,
  isUnusual,
  restrictionsOf,
  unsupportedRestrictions,
  type BoundName,
  type Part,
  type PriceName,
} from './builder.ts'
import { weekdayName } from './tariff-preview.tsx'

const BOUNDS = [
  'from',
  'until',
  'minMinutes',
  'maxMinutes',
  'minKwh',
  'maxKwh',
  'minKw',
  'maxKw',
] as const

interface Props {
  readonly part: Part
  /** The position, from 1; undefined for the only part. */
  readonly position: number | undefined
  /** ISO 4217. */
  readonly currency: string
  readonly isWrong: (name: PriceName | BoundName) => boolean
  readonly onChange: (change: Partial<Part>) => void
  readonly onMoveUp: (() => void) | undefined
  readonly onRemove: () => void
}

/** The prices that apply under the same conditions. */
export const PartFields = (props: Props) => {
  const { part, currency, isWrong, onChange } = props
  const { messages, locale } = useLanguage()
  const symbol = symbolOf(currency, locale)
  const text = messages.tariffs
  const id = (name: string) => controlId(`elements.${part.key}.${name}`)
  const error = (name: PriceName | BoundName) => (isWrong(name) ? text.wrongNumber : undefined)
  const label = (name: PriceName) =>
    name === 'time' || name === 'idle'
      ? text.amounts[name][part.timeUnit](symbol)
      : text.amounts[name](symbol)
  const amount = (name: PriceName) => (
    <TextField
      key={name}
      id={id(name)}
      label={label(name)}
      {...(name === 'time' ? { hint: text.timeHint } : {})}
      {...(name === 'idle' ? { hint: text.idleHint } : {})}
      inputMode="decimal"
      optional
      value={part[name]}
      error={error(name)}
      warning={isUnusual(part, name, currency) ? text.unusual(symbol) : undefined}
      onChange={(event) => onChange({ [name]: event.target.value })}
    />
  )
  return (
    <Group {...props}>
      <div className="pair">
        {PRICE_NAMES.map(amount)}
        {(part.time !== '' || part.idle !== '') && (
          <SelectField
            label={text.timeUnit}
            value={part.timeUnit}
            onChange={({ target }) => onChange({ timeUnit: target.value as Part['timeUnit'] })}
          >
            {(['minute', 'hour'] as const).map((unit) => (
              <option key={unit} value={unit}>
                {text.units[unit]}
              </option>
            ))}
          </SelectField>
        )}
      </div>
      <Conditions part={part} error={error} onChange={onChange} />
    </Group>
  )
}

/** The symbol of a currency beside an amount: € or CHF. */
const symbolOf = (currency: string, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency

const Group = ({
  position,
  onMoveUp,
  onRemove,
  children,
}: Props & { readonly children: ReactNode }) => {
  const text = useLanguage().messages.tariffs
  if (position === undefined) return <div className="form-section">{children}</div>
  return (
    <fieldset className="tariff-part form-section">
      <legend>{text.part(position)}</legend>
      <div className="tariff-part-tools">
        {onMoveUp !== undefined && (
          <IconButton
            look="quiet"
            icon={ArrowUp}
            label={text.moveUp(position)}
            onClick={onMoveUp}
          />
        )}
        <IconButton
          look="quiet"
          icon={Trash2}
          label={text.removePart(position)}
          onClick={onRemove}
        />
      </div>
      {children}
    </fieldset>
  )
}

interface ConditionProps extends Pick<Props, 'part' | 'onChange'> {
  readonly error: (name: BoundName) => string | undefined
}

const Conditions = ({ part, error, onChange }: ConditionProps) => {
  const { messages, locale } = useLanguage()
  const text = messages.tariffs
  const options = {
    words: messages.tariffSentence,
    locale,
    plugName: (standard: (typeof STANDARDS)[number]) => shortPlugName(messages, standard),
  }
  const list = new Intl.ListFormat(locale, { type: 'unit' })
  const conditions = list.format(conditionsOf(restrictionsOf(part), false, options))
  const unsupported = unsupportedRestrictions(part)
  const shownUnsupported = [
    ...(unsupported.reservation === undefined ? [] : [text.forReservation]),
    ...conditionsOf(unsupported, false, options),
  ]
  return (
    <>
      <details className="tariff-conditions">
        <summary>
          <strong>{text.conditions}</strong>{' '}
          <span className="muted">{conditions || text.always}</span>
        </summary>
        <div className="form-section">
          <p className="hint">{text.conditionsHint}</p>
          <SelectField
            label={text.current}
            value={part.current}
            onChange={({ target }) => onChange({ current: target.value as Part['current'] })}
          >
            <option value="">{text.anyCurrent}</option>
            {CURRENTS.map((current) => (
              <option key={current} value={current}>
                {messages.tariffSentence.currentOnly[current]}
              </option>
            ))}
          </SelectField>
          <Chips
            label={text.plugs}
            values={[
              ...new Set([...STANDARDS.slice(0, COMMON_STANDARDS_COUNT), ...part.standards]),
            ]}
            chosen={part.standards}
            labelOf={(standard) => shortPlugName(messages, standard)}
            onChange={(standards) => onChange({ standards })}
          />
          <Chips
            label={text.days}
            values={DAYS_OF_WEEK}
            chosen={part.days}
            labelOf={(day) => weekdayName(DAYS_OF_WEEK.indexOf(day), locale, 'short')}
            onChange={(days) => onChange({ days })}
          />
          <div className="pair">
            {BOUNDS.map((name) => {
              const isTime = name === 'from' || name === 'until'
              return (
                <TextField
                  key={name}
                  id={controlId(`elements.${part.key}.${name}`)}
                  label={text.bounds[name]}
                  {...(isTime ? { type: 'time' } : { inputMode: 'decimal', error: error(name) })}
                  value={part[name]}
                  onChange={(event) => onChange({ [name]: event.target.value })}
                />
              )
            })}
          </div>
        </div>
      </details>
      {shownUnsupported.length > 0 && (
        <p className="hint">{text.kept(list.format(shownUnsupported))}</p>
      )}
    </>
  )
}

interface ChipsProps<V extends string> {
  readonly label: string
  readonly values: readonly V[]
  readonly chosen: readonly V[]
  readonly labelOf: (value: V) => string
  readonly onChange: (chosen: readonly V[]) => void
}

/** A set of options; an empty one means no restriction. */
const Chips = <V extends string>({ label, values, chosen, labelOf, onChange }: ChipsProps<V>) => (
  <fieldset className="field">
    <legend>{label}</legend>
    <div className="chips">
      {values.map((value) => (
        <button
          key={value}
          type="button"
          className="chip"
          aria-pressed={chosen.includes(value)}
          onClick={() =>
            onChange(
              chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value],
            )
          }
        >
          {labelOf(value)}
        </button>
      ))}
    </div>
  </fieldset>
)
