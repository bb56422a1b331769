import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import { openingHoursSchema, type OpeningHours } from '#domain/hours.ts'
import { sayWeek, type HoursSpeech } from '#domain/hours/sentence.ts'
import { hoursSpeech } from '../../messages/hours.ts'
import { useLanguage } from '../../messages/messages.ts'
import { FieldErrorText } from '../../ui/field-error.tsx'
import { useSubmitGuard } from '../../ui/form.ts'
import { useOpenState } from '../../ui/use-open-state.ts'
import { HoursExceptions } from './hours-exceptions.tsx'
import { HoursWeek } from './hours-week.tsx'
import './hours.css'

interface Props {
  readonly id: string
  /** Undefined if there are no hours. May be incomplete: a missing time is an empty text. */
  readonly value: OpeningHours | undefined
  readonly onChange: (value: OpeningHours | undefined) => void
  /** The validation error of the field. Without one, missing values are not reported. */
  readonly error: string | undefined
  /** The time zone of the site; empty if unknown. */
  readonly timeZone: string
  /** Whether exceptions are enough: those of many sites are added to the hours of each. */
  readonly mayLackWeek: boolean
  /** Whether to show if the site is open now. */
  readonly saysNow: boolean
  /** The country of the site, ISO 3166-1 alpha-3; empty if unknown. */
  readonly country: string
}

const NOTHING: OpeningHours = { twentyfourseven: false }

/** The opening hours of a site: around the clock, or a week, with exceptions; and their description. */
export const HoursEditor = (props: Props) => {
  const { id, value, onChange, error, timeZone, country, saysNow, mayLackWeek } = props
  const language = useLanguage()
  const text = language.messages.hoursEditor
  const errorId = useId()
  const hours = value ?? NOTHING
  const speech = hoursSpeech(language, timeZone)
  const [now] = useState(() => Date.now())
  // Restores the week if "24 hours" is switched on and off.
  const week = useRef(hours.regular_hours)
  const [isRefused, setRefused] = useState(false)
  const find = (isAsked: boolean): Problems => problemsOf(hours, text, isAsked, mayLackWeek)
  const problems = find(isRefused || error !== undefined)
  const always = useRef<HTMLInputElement>(null)
  // The form knows no shape of hours. Sent later from the device, they would come back from the server.
  useSubmitGuard(always, () => {
    const { whole, spans } = find(true)
    const isWrong = value !== undefined && (whole !== undefined || spans.size > 0)
    flushSync(() => setRefused(isWrong))
    if (isWrong) focusInvalid(always.current)
    return !isWrong
  })

  const change = (next: OpeningHours) => {
    setRefused(false)
    onChange(isNothing(next) ? undefined : next)
  }
  const setAlways = (twentyfourseven: boolean) => {
    if (twentyfourseven) week.current = hours.regular_hours
    const { regular_hours: _, ...rest } = hours
    change({
      ...rest,
      twentyfourseven,
      ...(!twentyfourseven && week.current && { regular_hours: week.current }),
    })
  }

  return (
    <div className="hours-editor">
      <label className="choice">
        <input
          type="checkbox"
          role="switch"
          ref={always}
          id={id}
          checked={hours.twentyfourseven}
          aria-checked={hours.twentyfourseven}
          aria-invalid={problems.whole !== undefined}
          aria-describedby={problems.whole === undefined ? undefined : errorId}
          onChange={({ currentTarget }) => setAlways(currentTarget.checked)}
        />
        <span>{text.always}</span>
      </label>
      {problems.whole !== undefined && (
        <FieldErrorText id={errorId}>{problems.whole}</FieldErrorText>
      )}
      {!hours.twentyfourseven && (
        <HoursWeek
          spans={hours.regular_hours ?? []}
          problems={problems.spans}
          onChange={(regular_hours) => change({ ...hours, regular_hours })}
        />
      )}
      <HoursExceptions
        hours={hours}
        speech={speech}
        country={country}
        now={now}
        onChange={change}
      />
      <Preview hours={hours} speech={speech} saysNow={saysNow} />
    </div>
  )
}

/** Focuses the first invalid control of the editor that contains the element. */
const focusInvalid = (within: HTMLElement | null): void =>
  within?.closest('.hours-editor')?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()

const isNothing = (hours: OpeningHours): boolean =>
  !hours.twentyfourseven &&
  [hours.regular_hours, hours.exceptional_openings, hours.exceptional_closings].every(
    (list = []) => list.length === 0,
  )

interface Problems {
  readonly whole: string | undefined
  /** By index of the span in the value. */
  readonly spans: ReadonlyMap<number, string>
}

/** Returns the problems with their places. Missing values are reported only if `isAsked`. */
const problemsOf = (
  hours: OpeningHours,
  text: { readonly missingTime: string; readonly overlap: string; readonly noDay: string },
  isAsked: boolean,
  mayLackWeek: boolean,
): Problems => {
  const spans = new Map<number, string>()
  let whole: string | undefined
  for (const { path } of openingHoursSchema.safeParse(hours).error?.issues ?? []) {
    const [list, index, part] = path
    if (list !== 'regular_hours') continue
    if (typeof index !== 'number') whole = isAsked && !mayLackWeek ? text.noDay : undefined
    else if (part === undefined) spans.set(index, text.overlap)
    else if (isAsked) spans.set(index, text.missingTime)
  }
  return { whole, spans }
}

interface PreviewProps {
  readonly hours: OpeningHours
  readonly speech: HoursSpeech
  readonly saysNow: boolean
}

/** Describes the week, and whether the site would be open now; the exceptions are listed above. */
const Preview = ({ hours, speech, saysNow }: PreviewProps) => {
  const isWhole = openingHoursSchema.safeParse(hours).success
  return (
    <output className="hours-preview" aria-live="polite">
      {isWhole && (
        <>
          <strong>{sayWeek(hours, speech)}</strong>
          {saysNow && <OpenNow hours={hours} speech={speech} />}
        </>
      )}
    </output>
  )
}

const OpenNow = ({ hours, speech }: Pick<PreviewProps, 'hours' | 'speech'>) => (
  <span className="muted">{useOpenState(hours, speech).text}</span>
)
