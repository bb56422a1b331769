import type { ComponentProps } from 'react'

import { useMessages } from '../messages/messages.ts'
import { controlProps, Labelled, useFieldIds, type FieldText } from './text-field.tsx'

type AreaProps = FieldText &
  Omit<ComponentProps<'textarea'>, 'className'> & {
    /** Maximum length; a counter appears near it. */
    readonly limit: number
    readonly length: number
  }

/** A labelled multi-line text input that grows with its text. */
export const TextArea = (props: AreaProps) => {
  const { label, hint, error, warning, optional, limit, length, ...input } = props
  const text = { label, hint, error, warning, optional }
  const messages = useMessages()
  const ids = useFieldIds(input.id)
  const left = limit - length
  return (
    <Labelled ids={ids} {...text}>
      <textarea rows={3} {...input} className="input" {...controlProps(ids, text)} />
      {length > limit * 0.8 && (
        <p className="hint">
          {left >= 0 ? messages.form.remaining(left) : messages.form.tooLong(-left)}
        </p>
      )}
    </Labelled>
  )
}
