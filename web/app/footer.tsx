import type { ReactNode } from 'react'
import { Link } from 'react-router'

import { LINKS } from '#domain/settings.ts'
import { LOCALES, type Locale } from '../messages/locale.ts'
import { useLanguage, useMessages } from '../messages/messages.ts'
import { PATHS } from '../paths.ts'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/select.tsx'
import { useSettings } from '../settings.ts'

interface Props {
  /** Undefined before the app starts, when the language cannot be changed yet. */
  readonly onShortcuts?: () => void
}

/** The footer of every page: product name, links of the operator, shortcuts, language. */
export const Footer = ({ onShortcuts }: Props) => {
  const { language, messages, choose } = useLanguage()
  const settings = useSettings()
  return (
    <footer className="footer">
      <span>{settings['product-name']}</span>
      <OperatorLinks>
        <Link to={PATHS.open}>{messages.titles.open}</Link>
      </OperatorLinks>
      <Button look="link footer-keys" onClick={onShortcuts}>
        {messages.shell.shortcuts}
      </Button>
      <label className="language" inert={onShortcuts === undefined}>
        {messages.shell.language}
        <Select
          value={language}
          autoComplete="off"
          onChange={(event) => choose(event.target.value as Locale)}
        >
          {Object.entries(LOCALES).map(([code, name]) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </Select>
      </label>
    </footer>
  )
}

/** The links of the operator of the installation, after those of the product. */
export const OperatorLinks = ({ children }: { readonly children?: ReactNode }) => {
  const messages = useMessages()
  const settings = useSettings()
  return (
    <span className="footer-links">
      {children}
      {LINKS.map(
        (link) =>
          settings[`${link}-url`] !== '' && (
            <a key={link} href={settings[`${link}-url`]} target="_blank" rel="noopener noreferrer">
              {messages.links[link]}
            </a>
          ),
      )}
    </span>
  )
}
