import { useId, useLayoutEffect, useRef, useState } from 'react'

import { useLanguage } from '../messages/messages.ts'
import { Button } from '../ui/button.tsx'
import { ModalDialog } from '../ui/modal-dialog.tsx'
import './shortcut-sheet.css'
import { areShortcutsOn, SHORTCUTS, switchShortcuts } from './shortcuts.ts'

/** Lists the shortcut keys, with a switch for those without a modifier. */
export const ShortcutSheet = ({ onClose }: { readonly onClose: () => void }) => {
  const { messages } = useLanguage()
  const text = messages.shortcuts
  const hint = useId()
  const [on, setOn] = useState(areShortcutsOn)
  const wayOut = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => wayOut.current?.focus(), [])

  return (
    <ModalDialog title={text.title} onClose={onClose}>
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
        <Button ref={wayOut} onClick={onClose}>
          {messages.shell.close}
        </Button>
      </div>
    </ModalDialog>
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
