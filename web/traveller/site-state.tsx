import { CircleCheck, Clock } from 'lucide-react'

import type { OpeningHours } from '#domain/hours.ts'
import { isTimeZone } from '#domain/hours/zone.ts'
import type { PublicSite } from '#domain/public-site.ts'
import { STATUSES_WITH_HOURS } from '#domain/site-values.ts'
import { hoursSpeech } from '../messages/hours.ts'
import { useLanguage } from '../messages/messages.ts'
import { StatusBadge } from '../ui/status-badge.tsx'
import { useOpenState } from '../ui/use-open-state.ts'

interface Props {
  readonly site: Pick<PublicSite, 'status' | 'opening_hours' | 'time_zone'>
}

/**
 * Whether a site can be used now: its status, and whether it is open. The status badge is hidden beside the hours,
 * because it would only repeat that the site is in service.
 */
export const SiteState = ({ site: { status, opening_hours, time_zone } }: Props) => {
  // At sea there is no time zone, so the hours are ambiguous.
  const hasHours =
    opening_hours !== null && STATUSES_WITH_HOURS.includes(status) && isTimeZone(time_zone)
  return (
    <>
      {(!hasHours || status !== 'AVAILABLE') && <StatusBadge status={status} />}
      {hasHours && <OpenBadge hours={opening_hours} timeZone={time_zone} />}
    </>
  )
}

interface OpenProps {
  readonly hours: OpeningHours
  readonly timeZone: string
}

const OpenBadge = ({ hours, timeZone }: OpenProps) => {
  const { isOpen, text } = useOpenState(hours, hoursSpeech(useLanguage(), timeZone))
  const Icon = isOpen ? CircleCheck : Clock
  return (
    <span className={`badge sentence ${isOpen ? 'ok' : ''}`}>
      <Icon className="icon" />
      {text}
    </span>
  )
}
