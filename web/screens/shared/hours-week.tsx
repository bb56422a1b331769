import { Plus, X } from 'lucide-react'
import { useId, useState } from 'react'
import { flushSync } from 'react-dom'

import type { RegularHours } from '#domain/hours.ts'
import { WEEKDAYS } from '#domain/hours/week.ts'
import { useLanguage } from '../../messages/messages.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { FieldErrorText } from '../../ui/field-error.tsx'

interface Props {
  readonly spans: readonly RegularHours[]
  /** The problems by index of the span. */
  readonly problems: ReadonlyMap<number, string>
  readonly onChange: (spans: RegularHours[]) => void
}

const USUAL = { period_begin: '08:00', period_end: '18:00' }
const WORKDAYS = [1, 2, 3, 4, 5]
/** 2024-01-01 was a Monday. */
const dateOf = (weekday: number): number => Date.UTC(2024, 0, weekday)

/** Names of weekdays, 1 for Monday. */
const useDayNames = () => {
  const { locale } = useLanguage()
  const names = (weekday: 'long' | 'short') => {
    const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' })
    return (day: number): string => format.format(dateOf(day))
  }
  return { long: names('long'), short: names('short') }
}

/** Moves the focus to an added element, or after a removal to the add button. */
const focusAfter = (id: string, change: () => void) => {
  flushSync(change)
  document.getElementById(id)?.focus()
}

/** The opening hours of each weekday. */
export const HoursWeek = ({ spans, problems, onChange }: Props) => {
  const { messages } = useLanguage()
  const spansOf = (day: number) => spans.filter(({ weekday }) => weekday === day)
  const setDays = (days: readonly number[], change: readonly RegularHours[]) =>
    onChange(
      WEEKDAYS.flatMap((day) =>
        days.includes(day) ? change.map((span) => ({ ...span, weekday: day })) : spansOf(day),
      ),
    )
  return (
    <fieldset className="field">
      <legend>{messages.hoursEditor.week}</legend>
      {WEEKDAYS.map((day) => {
        const before = spans.findLast(({ weekday }) => weekday < day)
        return (
          <Day
            key={day}
            day={day}
            spans={spansOf(day)}
            usual={before === undefined ? [{ ...USUAL, weekday: day }] : spansOf(before.weekday)}
            problemOf={(span) => problems.get(spans.indexOf(span))}
            setDays={setDays}
          />
        )
      })}
    </fieldset>
  )
}

interface DayProps {
  readonly day: number
  readonly spans: readonly RegularHours[]
  /** The default spans of a day. */
  readonly usual: readonly RegularHours[]
  readonly problemOf: (span: RegularHours) => string | undefined
  readonly setDays: (days: readonly number[], spans: readonly RegularHours[]) => void
}

const Day = ({ day, spans, usual, problemOf, setDays }: DayProps) => {
  const { messages } = useLanguage()
  const text = messages.hoursEditor
  const name = useDayNames().long(day)
  const id = useId()
  const [isCopying, setCopying] = useState(false)
  const isClosed = spans.length === 0
  const set = (change: readonly RegularHours[]) => setDays([day], change)
  const add = () =>
    focusAfter(`${id}-${spans.length}`, () =>
      set(isClosed ? usual : [...spans, { weekday: day, period_begin: '', period_end: '' }]),
    )
  return (
    <fieldset className="hours-day" aria-label={name}>
      <span className="hours-day-name">{name}</span>
      <div className="hours-spans">
        {spans.map((span, index) => (
          <Span
            key={index}
            id={`${id}-${index}`}
            name={name}
            span={span}
            problem={problemOf(span)}
            onChange={(changed) => set(spans.with(index, changed))}
            onRemove={() => focusAfter(`${id}-add`, () => set(spans.toSpliced(index, 1)))}
          />
        ))}
        {isClosed && <span className="muted">{text.closed}</span>}
      </div>
      <div className="hours-actions">
        <button
          type="button"
          className={isClosed ? 'button quiet' : 'button quiet icon-only'}
          id={`${id}-add`}
          onClick={add}
        >
          <Plus className="icon" />
          <span className={isClosed ? undefined : 'visually-hidden'}>
            {isClosed ? text.addHours : text.addSpan}
          </span>
          <span className="visually-hidden"> ({name})</span>
        </button>
        {!isClosed && (
          <Button
            look="quiet"
            aria-expanded={isCopying}
            aria-controls={`${id}-copy`}
            onClick={() => setCopying(!isCopying)}
          >
            {text.copy}
            <span className="visually-hidden"> ({name})</span>
          </Button>
        )}
      </div>
      <div className="chips hours-copy" id={`${id}-copy`} hidden={!isCopying || isClosed}>
        <CopyChips day={day} onCopy={(days) => setDays(days, spans)} />
      </div>
    </fieldset>
  )
}

interface CopyProps {
  readonly day: number
  readonly onCopy: (days: readonly number[]) => void
}

/** Buttons that copy the hours of a day to other days. */
const CopyChips = ({ day, onCopy }: CopyProps) => {
  const { messages } = useLanguage()
  const text = messages.hoursEditor
  const names = useDayNames()
  const chips: readonly (readonly [name: string, days: readonly number[]])[] = [
    [text.workdays, WORKDAYS],
    [text.allDays, WEEKDAYS],
    ...WEEKDAYS.filter((other) => other !== day).map(
      (other) => [names.short(other), [other]] as const,
    ),
  ]
  return chips.map(([name, days]) => (
    <button key={name} type="button" className="chip" onClick={() => onCopy(days)}>
      {name}
    </button>
  ))
}

interface SpanProps {
  readonly id: string
  /** The name of the day, for labels. */
  readonly name: string
  readonly span: RegularHours
  readonly problem: string | undefined
  readonly onChange: (span: RegularHours) => void
  readonly onRemove: () => void
}

const Span = ({ id, name, span, problem, onChange, onRemove }: SpanProps) => {
  const { messages } = useLanguage()
  const text = messages.hoursEditor
  const { period_begin, period_end } = span
  const isOvernight =
    period_begin !== '' && period_end !== '' && period_end !== '00:00' && period_end <= period_begin
  const noteId = `${id}-note`
  const described = {
    'aria-invalid': problem !== undefined,
    'aria-describedby': problem !== undefined || isOvernight ? noteId : undefined,
  }
  return (
    <div className="hours-span">
      <input
        type="time"
        className="input"
        id={id}
        aria-label={text.begin(name)}
        value={period_begin}
        onChange={({ currentTarget }) => onChange({ ...span, period_begin: currentTarget.value })}
        {...described}
      />
      <span aria-hidden="true">–</span>
      <input
        type="time"
        className="input"
        aria-label={text.end(name)}
        value={period_end}
        onChange={({ currentTarget }) => onChange({ ...span, period_end: currentTarget.value })}
        {...described}
      />
      <IconButton
        look="quiet"
        icon={X}
        label={text.remove(name, [period_begin, period_end].filter(Boolean).join('–'))}
        onClick={onRemove}
      />
      {problem !== undefined && <FieldErrorText id={noteId}>{problem}</FieldErrorText>}
      {problem === undefined && isOvernight && (
        <span className="hint" id={noteId}>
          {text.nextDay}
        </span>
      )}
    </div>
  )
}
