import { useId, useState } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'

import { useLanguage } from '../messages/messages.ts'
import '../ui/overlays.css'
import './shortcut-sheet.css'
import { areShortcutsOn, SHORTCUTS, switchShortcuts } from './shortcuts.ts'

/** Lists the shortcut keys, with a switch for those without a modifier. */
export const ShortcutSheet = ({ onClose }: { readonly onClose: () => void }) => {
  const { locale, messages } = useLanguage()
  const text = messages.shortcuts
  const hint = useId()
  const [on, setOn] = useState(areShortcutsOn)

  return (
    <I18nProvider locale={locale}>
      <ModalOverlay
        className="scrim"
        isOpen
        isDismissable
        onOpenChange={(open) => {
          if (!open) onClose()
        }}
      >
        <Modal className="dialog-box">
          <Dialog className="dialog">
            <Heading slot="title" level={2}>
              {text.title}
            </Heading>
            <dl className="shortcuts">
              {SHORTCUTS.map(({ id, presses, bare }) => (
                <div key={id} className={bare && !on ? 'off' : ''}>
                  <dt>{text.does[id]}</dt>
                  <dd>
                    {presses.map((keys, index) => (
                      <span key={keys.join(' ')}>
                        {index > 0 && <span className="muted">{text.or} </span>}
                        {keys.map((key, position) => (
                          <span key={key}>
                            {position > 0 && <span className="muted"> {text.andThen} </span>}
                            <Keys names={key.split('+')} />
                          </span>
                        ))}
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
            <label className="switch">
              <input
                type="checkbox"
                role="switch"
                checked={on}
                aria-checked={on}
                aria-describedby={hint}
                onChange={({ target }) => {
                  switchShortcuts(target.checked)
                  setOn(target.checked)
                }}
              />
              {text.switch}
            </label>
            <p className="muted" id={hint}>
              {text.switchHint}
            </p>
            <div className="dialog-actions">
              {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog focuses its way out */}
              <button type="button" className="button" autoFocus onClick={onClose}>
                {messages.shell.close}
              </button>
            </div>
          </Dialog>
        </Modal>
      </ModalOverlay>
    </I18nProvider>
  )
}

const Keys = ({ names }: { readonly names: readonly string[] }) => {
  const { shortcuts } = useLanguage().messages
  const words: Readonly<Record<string, string>> = {
    Mod: isMac() ? '⌘' : shortcuts.control,
    Enter: shortcuts.enter,
  }
  return names.map((name, index) => (
    <span key={name}>
      {index > 0 && ' + '}
      <kbd>{words[name] ?? (names.length > 1 ? name.toUpperCase() : name)}</kbd>
    </span>
  ))
}

const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent)
