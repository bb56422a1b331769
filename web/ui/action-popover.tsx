import { Check, type LucideIcon } from 'lucide-react'
import { useEffect, useRef, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Menu, MenuItem } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'

import { useLanguage } from '../messages/messages.ts'
import './overlays.css'

/** An entry of a menu: a link if it has an address, otherwise an action. */
export interface MenuEntry {
  readonly id: string
  readonly label: string
  readonly icon?: LucideIcon
  readonly tone?: 'danger'
  readonly href?: string
  readonly onAction?: () => void
}

interface Props {
  /** The button of the menu, which gets the focus back. */
  readonly trigger: RefObject<HTMLButtonElement | null>
  readonly label: string
  readonly entries: readonly MenuEntry[]
  /** The id of the chosen entry if the menu is a choice; empty if none is chosen. */
  readonly chosen: string | undefined
  readonly onClose: () => void
}

/** An open menu. */
export const ActionPopover = ({ trigger, label, entries, chosen, onClose }: Props) => {
  const { locale } = useLanguage()
  const menu = useRef<HTMLDivElement>(null)

  useEffect(() => {
    // A key press on a button sends a click that looks like one of a screen reader. React Aria then delays the focus of
    // the entry, and gives up because the menu itself has received it in the meantime.
    const frame = requestAnimationFrame(() => {
      const { activeElement } = document
      if (activeElement === menu.current || menu.current?.contains(activeElement) === false)
        firstItem(menu.current)?.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [])

  // A dialog that the action opens returns the focus to the button, because the entry is gone by then.
  const run = (action: () => void): void => {
    flushSync(onClose)
    trigger.current?.focus()
    action()
  }

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
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the focus moves into an opened menu
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
              {...(onAction === undefined ? {} : { onAction: () => run(onAction) })}
            >
              {Icon && <Icon className="icon" />}
              {text}
              {id === chosen && <Check className="icon menu-check" />}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </I18nProvider>
  )
}

/** The initial focus: the chosen item, otherwise the first one. */
const firstItem = (menu: HTMLElement | null): HTMLElement | null | undefined =>
  menu?.querySelector<HTMLElement>('[aria-checked=true]') ??
  menu?.querySelector<HTMLElement>('[role^=menuitem]')
