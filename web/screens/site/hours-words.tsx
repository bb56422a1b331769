import { wordHours } from '../../messages/hours.ts'
import { useLanguage } from '../../messages/messages.ts'
import { readHours } from './site-values.ts'

interface Props {
  /** As in the form. */
  readonly text: string
  readonly timeZone: string
}

/** Opening hours of the form in words. */
export const HoursWords = ({ text, timeZone }: Props) =>
  wordHours(useLanguage(), readHours(text), timeZone)
