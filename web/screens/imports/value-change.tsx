import { ArrowRight } from 'lucide-react'

import { useStoreState } from '../../data/react.ts'
import { useLanguage, useMessages } from '../../messages/messages.ts'
import { plainText } from '../../ui/user-text.tsx'
import { wordNamedValue } from '../shared/value-words.ts'
import { fieldOf } from './words.ts'

/** Words the values of a field of a station: as ours, or as another system has them. */
export const useValueWords = () => {
  const { messages, locale } = useLanguage()
  const { data } = useStoreState()
  return (path: string, value: unknown): string => {
    const { collection, name } = fieldOf(path)
    return plainText(wordNamedValue({ messages, locale, data }, { collection, name, value }))
  }
}

interface Props {
  readonly label: string
  readonly before: string
  readonly after: string
}

/** A field, and its value before and after. */
export const ValueChange = ({ label, before, after }: Props) => {
  const text = useMessages().imports
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <del>
          <span className="visually-hidden">{text.before} </span>
          {before}
        </del>
        <ArrowRight className="icon" />
        <ins>
          <span className="visually-hidden">{text.after} </span>
          {after}
        </ins>
      </dd>
    </div>
  )
}
