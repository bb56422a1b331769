import { ChevronDown } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'

interface Props {
  readonly title: string
  /** A one-line summary of the contents. */
  readonly summary: string
  /** Opens the section; it stays open when this becomes false again. */
  readonly opens: boolean
  /** True inside a section, where it is not a section itself. */
  readonly isInner?: boolean
  /** The names of its fields, which the focus of a field needs to find the section. */
  readonly holds?: readonly string[]
  readonly children: ReactNode
}

/** A collapsible section of a form, initially closed. The contents are rendered only while it is open. */
export const Fold = ({ title, summary, opens, isInner = false, holds, children }: Props) => {
  const [isOpen, setOpen] = useState(false)
  const panel = useId()
  if (opens && !isOpen) setOpen(true)
  const Heading = isInner ? 'h3' : 'h2'
  const content = (
    <>
      <Heading>
        <button
          type="button"
          className="fold-summary"
          aria-expanded={isOpen}
          aria-controls={panel}
          onClick={() => setOpen(!isOpen)}
        >
          <span className="fold-title">{title}</span> <span className="fold-says">{summary}</span>
          <ChevronDown className="icon" />
        </button>
      </Heading>
      <div className="fold-panel" id={panel} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </>
  )
  return isInner ? (
    <div className="fold inner">{content}</div>
  ) : (
    <section className="card form-section fold" aria-label={title} data-holds={holds?.join(' ')}>
      {content}
    </section>
  )
}
