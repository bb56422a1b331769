import { ArrowRight } from 'lucide-react'

import { useMessages } from '../../messages/messages.ts'

interface Props {
  readonly lines: readonly {
    readonly label: string
    readonly before: string
    readonly after: string
  }[]
}

/** Fields, each with its value before and after. */
export const ValueChanges = ({ lines }: Props) => {
  const text = useMessages().imports
  if (lines.length === 0) return null
  return (
    <dl className="value-changes">
      {lines.map(({ label, before, after }, index) => (
        <div key={index}>
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
      ))}
    </dl>
  )
}
