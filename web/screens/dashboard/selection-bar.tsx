import { ChevronDown, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'

import { wireDate } from '#domain/date.ts'
import type { Field } from '#domain/field.ts'
import { bulkNames } from '#domain/record.ts'
import { sites as siteCollection } from '#domain/site.ts'
import { useStore } from '../../data/react.ts'
import type { FieldsOfSites, SiteView } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { MenuButton } from '../../ui/action-menu.tsx'
import '../../ui/form.css'
import { Button, IconButton } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { fetchSiteControls } from '../shared/site-field.tsx'
import { BulkDialog, type BulkName } from './bulk-dialog.tsx'
import type { SiteSelection } from './selection.tsx'

interface Props {
  readonly selection: SiteSelection
  readonly sites: readonly SiteView[]
  readonly shown: readonly SiteView[]
  readonly onEnd: () => void
}

const now = (): string => wireDate(new Date())

/** Prefetches the menu, the controls and the progress toast, in case the connection is lost. */
const fetchRest = (): void => {
  const rest = [
    import('../../ui/action-popover.tsx'),
    import('../shared/bulk-toast.tsx'),
    fetchSiteControls(),
  ]
  void Promise.allSettled(rest)
}

/** The number of selected sites, and the actions for them. */
export const SelectionBar = ({ selection, sites, shown, onEnd }: Props) => {
  const messages = useMessages()
  const text = messages.many
  const store = useStore()
  const [field, setField] = useState<BulkName>()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(fetchRest, [])
  const isSelected = ({ id }: SiteView): boolean => selection.selected.has(id)
  const selected = sites.filter(isSelected)
  const hidden = selected.length - shown.filter(isSelected).length
  const isAll = shown.length > 0 && shown.every(isSelected)
  const close = (): void => {
    setField(undefined)
    // The menu entry that opened the dialog has disappeared.
    requestAnimationFrame(() => button.current?.focus())
  }
  const set = (fields: FieldsOfSites): void => {
    close()
    const ids = selected.map(({ id }) => id)
    if (store.updateSites(ids, fields) === 0) toast(text.same)
  }
  const choose = (name: BulkName, { kind }: Field): void => {
    // Sets a date field to the current time.
    if (kind === 'date') set({ [name]: now() })
    else setField(name)
  }
  const entries = bulkNames(siteCollection, ['status']).map((name) => ({
    id: name,
    label:
      siteCollection.fields[name].kind === 'date'
        ? text.now(messages.fields.sites[name])
        : messages.fields.sites[name],
    onAction: () => choose(name, siteCollection.fields[name]),
  }))
  return (
    <section className="save-bar selection-bar" aria-label={text.bar} aria-keyshortcuts="F6">
      <div className="save-bar-row">
        <output className="save-bar-note">
          <strong>{selected.length === 0 ? text.nothing : text.chosen(selected.length)}</strong>
          {hidden > 0 && <span>{text.hidden(hidden)}</span>}
        </output>
        <Button onClick={isAll ? selection.clear : selection.selectShown}>
          {isAll ? text.clear : text.all(shown.length)}
        </Button>
        {selected.length === 0 ? (
          <Button look="primary" disabled>
            {text.change}
            <ChevronDown className="icon" />
          </Button>
        ) : (
          <MenuButton
            className="button primary"
            buttonRef={button}
            label={text.title(selected.length)}
            entries={entries}
          >
            {text.change}
            <ChevronDown className="icon" />
          </MenuButton>
        )}
        <IconButton icon={X} label={text.end} onClick={onEnd} />
      </div>
      {field !== undefined && (
        <BulkDialog name={field} sites={selected} onClose={close} onSet={set} />
      )}
    </section>
  )
}
