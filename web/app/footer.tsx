import { LOCALES, useLanguage, type Locale } from '../messages/messages.ts'
import { Select } from '../ui/text-field.tsx'
import { useSettings } from './settings.ts'

/** The end of every page: the product's name and the choice of language. */
export const Footer = () => {
  const { locale, messages, choose } = useLanguage()
  const settings = useSettings()
  return (
    <footer className="footer">
      <span>{settings['product-name']}</span>
      <label className="language">
        {messages.shell.language}
        <Select
          value={locale}
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
