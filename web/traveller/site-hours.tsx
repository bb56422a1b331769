import { useState } from 'react'

import type { OpeningHours } from '#domain/hours.ts'
import { dateOfWall, specialDays } from '#domain/hours/exceptions.ts'
import { sayExceptions, weekLines } from '#domain/hours/sentence.ts'
import { normalHours } from '#domain/hours/week.ts'
import { wallMs } from '#domain/hours/zone.ts'
import { hoursSpeech } from '../messages/hours.ts'
import { useLanguage } from '../messages/messages.ts'

interface Props {
  readonly hours: OpeningHours
  readonly timeZone: string
}

/** The hours of a week, with a line for each group of days, and the upcoming exceptions. */
export const SiteHours = ({ hours, timeZone }: Props) => {
  const language = useLanguage()
  const speech = hoursSpeech(language, timeZone)
  const [now] = useState(Date.now)
  const today = dateOfWall(wallMs(speech.zone, now))
  const coming = specialDays(hours, speech.zone).filter(({ to }) => to >= today)
  return (
    <>
      {normalHours(hours).twentyfourseven ? (
        <p>{speech.words.always}</p>
      ) : (
        <table className="traveller-week">
          <tbody>
            {weekLines(hours, speech).map(({ days, spans }) => (
              <tr key={days}>
                <th scope="row">{days}</th>
                <td>{spans || language.messages.traveller.closed}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {sayExceptions(coming, speech).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </>
  )
}
