import { EllipsisVertical, type LucideIcon } from 'lucide-react'
import { Button } from 'react-aria-components/Button'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'

import { useLanguage } from '../messages/messages.ts'
import './overlays.css'

/** One line of a menu: a link when it has an address, else an action. */
export interface MenuEntry {
  readonly id: string
  readonly label: string
  readonly icon: LucideIcon
  readonly tone?: 'danger'
  readonly href?: string
  readonly onAction?: () => void
}

interface Props {
  readonly label: string
  readonly entries: readonly MenuEntry[]
}

/** The three dots of a card, and the actions behind them. */
export const ActionMenu = ({ label, entries }: Props) => {
  const { locale } = useLanguage()
  return (
    <I18nProvider locale={locale}>
      <MenuTrigger>
        <Button className="button quiet icon-only" aria-label={label}>
          <EllipsisVertical className="icon" aria-hidden="true" />
        </Button>
        <Popover className="menu-popover" placement="bottom end">
          <Menu className="menu" aria-label={label}>
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
              </MenuItem>
            ))}
          </Menu>
        </Popover>
      </MenuTrigger>
    </I18nProvider>
  )
}
