import { ChevronDown } from 'lucide-react'

import type { SiteStatus } from '#domain/site-values.ts'
import { OWNER_STATUSES } from '#domain/site.ts'
import { useStore } from '../../data/react.ts'
import type { SiteView } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { MenuButton } from '../../ui/action-menu.tsx'
import { STATUS_LOOKS, StatusBadge } from '../../ui/status-badge.tsx'
import { toast } from '../../ui/toast.ts'
import { plainText } from '../../ui/user-text.tsx'

interface Props {
  readonly site: SiteView
  readonly onChange: (site: SiteView) => void
}

/**
 * The status of a site, and the statuses that owners may set. A status set by a charge point is shown until another is
 * chosen.
 */
export const StatusMenu = ({ site, onChange }: Props) => {
  const messages = useMessages()
  const store = useStore()
  const text = messages.dashboard

  const set = async (status: SiteStatus) => {
    if (status === site.status) return
    onChange(site)
    const { problem } = await store.updateSite(site.id, { fields: { status } })
    if (problem !== undefined) return
    const canReturn = (OWNER_STATUSES as readonly SiteStatus[]).includes(site.status)
    const undo = () => void store.updateSite(site.id, { fields: { status: site.status } })
    toast(text.statusSet(plainText(site.name), messages.status[status]), {
      ...(canReturn && { action: { label: messages.actions.undo, run: undo } }),
    })
  }

  return (
    <MenuButton
      className="badge-button"
      label={text.statusOf(plainText(site.name), messages.status[site.status])}
      chosen={site.status}
      entries={OWNER_STATUSES.map((status) => ({
        id: status,
        label: messages.status[status],
        icon: STATUS_LOOKS[status][1],
        onAction: () => void set(status),
      }))}
    >
      <StatusBadge status={site.status}>
        <ChevronDown className="icon" />
      </StatusBadge>
    </MenuButton>
  )
}
