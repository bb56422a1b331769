import {
  Clock,
  Euro,
  Lock,
  MapPinOff,
  Plug,
  ToggleLeft,
  ZapOff,
  type LucideIcon,
} from 'lucide-react'

import type { ReportReason } from '#domain/report.ts'
import { useMessages } from '../../messages/messages.ts'
import './report.css'

const ICONS: Readonly<Record<ReportReason, LucideIcon>> = {
  NOT_WORKING: ZapOff,
  NO_ACCESS: Lock,
  STATUS_WRONG: ToggleLeft,
  PLACE_WRONG: MapPinOff,
  PLUG_WRONG: Plug,
  PRICE_WRONG: Euro,
  HOURS_WRONG: Clock,
}

/** The reason for a report, in words and with an icon. The messages of `reports` must be loaded. */
export const ReportReasonText = ({ reason }: { readonly reason: ReportReason }) => {
  const Icon = ICONS[reason]
  return (
    <>
      <Icon className="icon" />
      <span>{useMessages().report.reasons[reason]}</span>
    </>
  )
}
