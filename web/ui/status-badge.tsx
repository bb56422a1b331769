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
import type { ReactNode } from 'react'

import type { SiteStatus } from '#domain/site-values.ts'
import { useMessages } from '../messages/messages.ts'

/** The tone and icon of each status. */
export const STATUS_LOOKS: Readonly<Record<SiteStatus, readonly [tone: string, icon: LucideIcon]>> =
  {
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

interface Props {
  readonly status: SiteStatus
  readonly children?: ReactNode
}

/** The status of a site: a word, an icon and a colour. */
export const StatusBadge = ({ status, children }: Props) => {
  const messages = useMessages()
  const [tone, Icon] = STATUS_LOOKS[status]
  return (
    <span className={`badge ${tone}`}>
      <Icon className="icon" />
      {messages.status[status]}
      {children}
    </span>
  )
}
