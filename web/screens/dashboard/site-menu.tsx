import {
  Copy,
  CopyPlus,
  History,
  MapPinned,
  MessageSquareWarning,
  Pencil,
  Share2,
  Trash2,
} from 'lucide-react'
import { useNavigate } from 'react-router'

import { useStore } from '../../data/react.ts'
import type { SiteView } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { deviceMapLink, mapLink } from '../../map/map-link.ts'
import { editSitePath, newSitePath, siteChangesPath, siteReportsPath } from '../../paths.ts'
import { toast } from '../../ui/toast.ts'

interface Props {
  readonly site: SiteView
  readonly onDelete: () => void
}

/** The menu of a site. */
export const SiteMenu = ({ site, onDelete }: Props) => {
  const messages = useMessages()
  const navigate = useNavigate()
  const store = useStore()
  const text = messages.dashboard

  const copy = async (words: string, done: string, failed: string) => {
    try {
      await navigator.clipboard.writeText(words)
      toast(done)
    } catch {
      toast(failed)
    }
  }
  const share = async () => {
    const card = { title: site.name, text: `${site.name}\n${site.address}`, url: mapLink(site) }
    // Web Share is missing in some browsers and contexts.
    if ((navigator as Partial<Navigator>).share !== undefined) {
      try {
        return await navigator.share(card)
      } catch (error) {
        // The user has cancelled the share sheet.
        if (error instanceof DOMException && error.name === 'AbortError') return
      }
    }
    await copy(`${card.text}\n${card.url}`, text.shareCopied, text.shareFailed)
  }

  return (
    <ActionMenu
      label={text.menu(site.name)}
      entries={[
        {
          id: 'edit',
          label: messages.actions.edit,
          icon: Pencil,
          onAction: () => void navigate(editSitePath(site.id)),
        },
        {
          id: 'duplicate',
          label: text.duplicate,
          icon: CopyPlus,
          // The id is generated now, so that the copy is stored as a draft like any other.
          onAction: () => void navigate(newSitePath(store.newId()), { state: { copyOf: site.id } }),
        },
        {
          id: 'copy',
          label: text.copyCoordinates,
          icon: Copy,
          onAction: () =>
            void copy(`${site.latitude}, ${site.longitude}`, text.copied, text.copyFailed),
        },
        { id: 'maps', label: text.openInMaps, icon: MapPinned, href: deviceMapLink(site) },
        { id: 'share', label: text.share, icon: Share2, onAction: () => void share() },
        {
          id: 'reports',
          label: messages.titles.reports,
          icon: MessageSquareWarning,
          onAction: () => void navigate(siteReportsPath(site.id)),
        },
        {
          id: 'history',
          label: messages.titles.changes,
          icon: History,
          onAction: () => void navigate(siteChangesPath(site.id)),
        },
        {
          id: 'delete',
          label: messages.actions.delete,
          icon: Trash2,
          tone: 'danger',
          onAction: onDelete,
        },
      ]}
    />
  )
}
