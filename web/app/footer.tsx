import { LOCALES, type Locale } from '../messages/locale.ts'
import { useLanguage } from '../messages/messages.ts'
import { Select } from '../ui/text-field.tsx'
import { useSettings } from './settings.ts'

/** The end of every page: the product's name, the shortcuts, the choice of language. */
export const Footer = ({ onShortcuts }: { readonly onShortcuts: () => void }) => {
  const { language, messages, choose } = useLanguage()
  const settings = useSettings()
  return (
    <footer className="footer">
      <span>{settings['product-name']}</span>
      <button type="button" className="button link footer-keys" onClick={onShortcuts}>
        {messages.shell.shortcuts}
      </button>
      <label className="language">
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
