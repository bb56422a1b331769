import { Check, Copy } from 'lucide-react'
import { useId, useRef, useState } from 'react'

import { useMessages } from '../messages/messages.ts'
import { Button } from './button.tsx'

interface Props {
  readonly label: string
  readonly value: string
  /** The label of the button, before and after it was pressed. */
  readonly words: { readonly copy: string; readonly copied: string }
}

/** Copies a text that is shown in `area`; `isCopied` until the text changes. */
export const useCopy = (text: string) => {
  const area = useRef<HTMLTextAreaElement>(null)
  const [copied, setCopied] = useState<string>()
  const copy = async (): Promise<void> => {
    area.current?.select()
    try {
      await navigator.clipboard.writeText(text)
      setCopied(text)
    } catch {
      // Selected, so that it can be copied by hand.
      area.current?.focus()
    }
  }
  return { area, copy, isCopied: copied === text }
}

/** A read-only text with a copy button: an address, or a command of several lines. */
export const CopyField = ({ label, value, words }: Props) => {
  const { about } = useMessages()
  const id = useId()
  const { area, copy, isCopied } = useCopy(value)
  return (
    <div className="copy-field">
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <textarea
        ref={area}
        id={id}
        className="input"
        readOnly
        rows={value.split('\n').length}
        spellCheck={false}
        value={value}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button
        look="icon-only"
        title={isCopied ? words.copied : words.copy}
        aria-label={about(isCopied ? words.copied : words.copy, label)}
        onClick={() => void copy()}
      >
        {isCopied ? <Check className="icon" /> : <Copy className="icon" />}
      </Button>
      <output className="visually-hidden">{isCopied && words.copied}</output>
    </div>
  )
}
