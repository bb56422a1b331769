import {
  Ban,
  CalendarClock,
  CircleCheck,
  CirclePause,
  CircleQuestionMark,
  CircleX,
  Clock,
  TriangleAlert,
  Zap,
  type LucideIcon,
} from 'lucide-react'

import type { SiteStatus } from '#domain/site.ts'
import { useMessages } from '../messages/messages.ts'

const LOOKS: Readonly<Record<SiteStatus, readonly [tone: string, icon: LucideIcon]>> = {
  AVAILABLE: ['ok', CircleCheck],
  PLANNED: ['info', CalendarClock],
  INOPERATIVE: ['warn', CirclePause],
  OUTOFORDER: ['danger', TriangleAlert],
  REMOVED: ['', CircleX],
  UNKNOWN: ['', CircleQuestionMark],
  BLOCKED: ['warn', Ban],
  CHARGING: ['info', Zap],
  RESERVED: ['info', Clock],
}

/** The status of a site: a word, a sign and a colour. */
export const StatusBadge = ({ status }: { readonly status: SiteStatus }) => {
  const messages = useMessages()
  const [tone, Icon] = LOOKS[status]
  return (
    <span className={`badge ${tone}`}>
      <Icon className="icon" aria-hidden="true" />
      {messages.status[status]}
    </span>
  )
}
