import { X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import type { ExceptionalPeriod, OpeningHours } from '#domain/hours.ts'
import { DAY_MINUTES, minuteOf } from '#domain/hours/minutes.ts'
import {
  dateOfWall,
  readExceptions,
  wallOfDate,
  withExceptions,
  type Exceptions,
  type SpecialDays,
} from '#domain/hours/exceptions.ts'
import { holidaysFrom } from '#domain/hours/holidays.ts'
import { saySpecialDays, type HoursSpeech } from '#domain/hours/sentence.ts'
import { DAY_MS, wallMs } from '#domain/hours/zone.ts'
import { useLanguage } from '../../messages/messages.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { useSubmitGuard } from '../../ui/form.ts'
import { TextField } from '../../ui/text-field.tsx'

interface Props {
  readonly hours: OpeningHours
  readonly speech: HoursSpeech
  /** ISO 3166-1 alpha-3; empty if unknown. */
  readonly country: string
  readonly now: number
  readonly onChange: (hours: OpeningHours) => void
}

/** Days with other opening hours, or without any. */
export const HoursExceptions = ({ hours, speech, country, now, onChange }: Props) => {
  const { messages } = useLanguage()
  const text = messages.hoursEditor
  const exceptions = readExceptions(hours, speech.zone)
  const addId = useId()
  const [typing, setTyping] = useState<Typing>()
  const [added, setAdded] = useState<readonly SpecialDays[]>([])
  // The typed values are dropped if the hours were replaced, for example discarded.
  const isTyping = typing !== undefined && typing.stored === JSON.stringify(exceptions)
  const { typed, listed } = isTyping ? typing : { typed: EMPTY, listed: exceptions }
  const store = (next: Typed, others: Exceptions) => {
    const special = specialOf(next)
    const days = special === undefined ? others.days : [...others.days, special]
    const changed = withExceptions(hours, { ...others, days }, speech.zone)
    const stored = JSON.stringify(readExceptions(changed, speech.zone))
    setTyping({ typed: next, listed: others, stored })
    if (JSON.stringify(exceptions) !== stored) onChange(changed)
  }
  // The pressed button may be removed, so the focus moves to the add button.
  const change = (changed: Partial<Exceptions>) => {
    store(typed, { ...listed, ...changed })
    document.getElementById(addId)?.focus()
  }

  const { days, openings, closings } = listed
  const items = [
    ...days.map((special, index) => ({
      sentence: saySpecialDays([special], speech),
      remove: () => change({ days: days.toSpliced(index, 1) }),
    })),
    ...openings.map((period, index) => ({
      sentence: speech.words.openOn(formatPeriod(period, speech), text.isOpen),
      remove: () => change({ openings: openings.toSpliced(index, 1) }),
    })),
    ...closings.map((period, index) => ({
      sentence: speech.words.closedOn(formatPeriod(period, speech)),
      remove: () => change({ closings: closings.toSpliced(index, 1) }),
    })),
  ]
  const holidays = holidaysFrom(country, dateOfWall(wallMs(speech.zone, now))).filter(
    (holiday) => !days.some(({ from, to }) => from <= holiday && holiday <= to),
  )
  return (
    <fieldset className="field hours-exceptions">
      <legend>{text.exceptions}</legend>
      {items.length > 0 && (
        <ul>
          {items.map(({ sentence, remove }) => (
            <li key={sentence}>
              {sentence}
              <IconButton
                look="quiet"
                icon={X}
                label={text.removeException(sentence)}
                onClick={remove}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="hours-new">
        {holidays.length > 0 && (
          <Button
            onClick={() => {
              const closed = holidays.map((day) => ({ from: day, to: day, spans: [] }))
              change({ days: [...days, ...closed] })
              setAdded(closed)
            }}
          >
            {text.addHolidays}
          </Button>
        )}
        <NewException
          id={addId}
          typed={typed}
          onType={(next) => store(next, listed)}
          onAdd={(special) => {
            setTyping(undefined)
            setAdded([special])
          }}
        />
      </div>
      <output className="visually-hidden">
        {added.length > 0 && saySpecialDays(added, speech)}
      </output>
    </fieldset>
  )
}

const formatPeriod = (period: ExceptionalPeriod, { locale, zone }: HoursSpeech): string =>
  new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: zone,
  }).formatRange(Date.parse(period.period_begin), Date.parse(period.period_end))

const EMPTY = { from: '', to: '', differs: false, opens: '08:00', closes: '18:00' }

type Typed = typeof EMPTY

/**
 * The exception in the fields. Once complete, it is part of the hours, so that it counts as a change and is stored in
 * the draft. Until it is added, only the others are listed.
 */
interface Typing {
  readonly typed: Typed
  readonly listed: Exceptions
  /** All exceptions that the hours then had, as JSON. */
  readonly stored: string
}

/** Maximum length of an exception; the schema has the same limit. */
const MAX_DAYS = 366

/** The first and the last day. Browsers take a year of two digits for one of the first century. */
const datesOf = ({ from, to }: Typed) => {
  const first = from.replace(/^00/, '20')
  return { from: first, to: to === '' ? first : to.replace(/^00/, '20') }
}

const hasDates = (typed: Typed): boolean => {
  const { from, to } = datesOf(typed)
  const days = (wallOfDate(to) - wallOfDate(from)) / DAY_MS
  // A year of three digits is a misprint.
  return from >= '1' && days >= 0 && days < MAX_DAYS
}

/** Converts the typed values to an exception; undefined if incomplete. */
const specialOf = (typed: Typed): SpecialDays | undefined => {
  const { differs, opens, closes } = typed
  if (!hasDates(typed) || (differs && (opens === '' || closes === ''))) return undefined
  const [begin, end] = [minuteOf(opens), minuteOf(closes)]
  return {
    ...datesOf(typed),
    spans: differs ? [{ begin, end: end > begin ? end : end + DAY_MINUTES }] : [],
  }
}

interface NewProps {
  /** The id of the button. */
  readonly id: string
  readonly typed: Typed
  readonly onType: (typed: Typed) => void
  readonly onAdd: (special: SpecialDays) => void
}

const NewException = ({ id, typed, onType, onAdd }: NewProps) => {
  const { messages } = useLanguage()
  const text = messages.hoursEditor
  const [problem, setProblem] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  const prefix = useId()
  const button = useRef<HTMLButtonElement>(null)
  const set = (changed: Partial<Typed>) => {
    onType({ ...typed, ...changed })
    setProblem(undefined)
  }
  const open = () => {
    flushSync(() => setOpen(true))
    document.getElementById(`${prefix}-from`)?.focus()
  }
  /** A date without its year, for example: the browser shows it, and reports an empty value. */
  const isPartlyTyped = (): boolean =>
    ['from', 'to'].some((end) => {
      const field = document.getElementById(`${prefix}-${end}`)
      return field instanceof HTMLInputElement && field.validity.badInput
    })
  /** Returns the typed exception if it is complete, and otherwise reports the problem. */
  const check = (): SpecialDays | undefined => {
    const special = isPartlyTyped() ? undefined : specialOf(typed)
    if (special !== undefined) return special
    setProblem(hasDates(typed) && !isPartlyTyped() ? text.missingTime : text.missingDate)
    document.getElementById(`${prefix}-from`)?.focus()
    return undefined
  }
  const add = () => {
    const special = check()
    if (special === undefined) return
    onAdd(special)
    setOpen(false)
  }
  // A typed exception is sent even if the add button was not pressed.
  useSubmitGuard(
    button,
    () => !isOpen || (typed.from + typed.to === '' && !isPartlyTyped()) || check() !== undefined,
  )
  return (
    <>
      {isOpen && <NewFields typed={typed} prefix={prefix} problem={problem} set={set} />}
      <Button id={id} ref={button} onClick={isOpen ? add : open}>
        {text.addException}
      </Button>
    </>
  )
}

interface FieldsProps {
  readonly typed: Typed
  readonly prefix: string
  readonly problem: string | undefined
  readonly set: (changed: Partial<Typed>) => void
}

const NewFields = ({ typed, prefix, problem, set }: FieldsProps) => {
  const { messages } = useLanguage()
  const text = messages.hoursEditor
  return (
    <>
      <div className="pair">
        <TextField
          type="date"
          id={`${prefix}-from`}
          label={text.from}
          value={typed.from}
          onChange={({ currentTarget }) => set({ from: currentTarget.value })}
          error={problem}
        />
        <TextField
          type="date"
          id={`${prefix}-to`}
          label={text.to}
          min={typed.from}
          value={typed.to}
          onChange={({ currentTarget }) => set({ to: currentTarget.value })}
        />
      </div>
      <div className="pair">
        {[false, true].map((differs) => (
          <label key={String(differs)} className="choice">
            <input
              type="radio"
              name={`${prefix}-kind`}
              checked={typed.differs === differs}
              onChange={() => set({ differs })}
            />
            <span>{differs ? text.isOpen : text.isClosed}</span>
          </label>
        ))}
      </div>
      {typed.differs && (
        <div className="pair">
          <TextField
            type="time"
            label={text.opens}
            value={typed.opens}
            onChange={({ currentTarget }) => set({ opens: currentTarget.value })}
          />
          <TextField
            type="time"
            label={text.closes}
            value={typed.closes}
            onChange={({ currentTarget }) => set({ closes: currentTarget.value })}
          />
        </div>
      )}
    </>
  )
}
