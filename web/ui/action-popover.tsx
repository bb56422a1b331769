import { Check } from 'lucide-react'
import { useEffect, useRef, type RefObject } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Menu, MenuItem } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'

import { useLanguage } from '../messages/messages.ts'
import type { MenuEntry } from './action-menu.tsx'
import './overlays.css'

interface Props {
  /** The button that it belongs to, and that gets the focus back. */
  readonly trigger: RefObject<HTMLButtonElement | null>
  readonly label: string
  readonly entries: readonly MenuEntry[]
  /** The id of the entry that is chosen, if the menu is a choice; empty if none of them is. */
  readonly chosen: string | undefined
  readonly onClose: () => void
}

/** The actions of a menu, open. */
export const ActionPopover = ({ trigger, label, entries, chosen, onClose }: Props) => {
  const { locale } = useLanguage()
  const menu = useRef<HTMLDivElement>(null)

  useEffect(() => {
    // A key on a button makes a click that looks like a screen reader's. The menu then waits with the
    // focus until nothing moves, and gives up because the button has lost it meanwhile.
    const frame = requestAnimationFrame(() => {
      if (menu.current?.contains(document.activeElement) === false) firstItem(menu.current)?.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [])

  return (
    <I18nProvider locale={locale}>
      <Popover
        className="menu-popover"
        aria-label={label}
        placement="bottom end"
        triggerRef={trigger}
        isOpen
        onOpenChange={onClose}
      >
        <Menu
          ref={menu}
          className="menu"
          aria-label={label}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the focus moves into a menu that opens
          autoFocus="first"
          onClose={onClose}
          {...(chosen === undefined
            ? {}
            : { selectionMode: 'single', selectedKeys: [chosen], disallowEmptySelection: true })}
        >
          {entries.map(({ id, label: text, icon: Icon, tone, href, onAction }) => (
            <MenuItem
              key={id}
              id={id}
              className={`menu-item ${tone ?? ''}`}
              textValue={text}
              {...(href === undefined
                ? {}
                : { href, target: '_blank', rel: 'noopener noreferrer' })}
              {...(onAction === undefined ? {} : { onAction })}
            >
              <Icon className="icon" aria-hidden="true" />
              {text}
              {id === chosen && <Check className="icon menu-check" aria-hidden="true" />}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </I18nProvider>
  )
}

/** Where the focus begins: at what is chosen, else at the top. */
const firstItem = (menu: HTMLElement): HTMLElement | null =>
  menu.querySelector<HTMLElement>('[aria-checked=true]') ??
  menu.querySelector<HTMLElement>('[role^=menuitem]')
