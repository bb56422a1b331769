import { ChevronDown } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'

interface Props {
  readonly title: string
  /** What it holds, in a line. */
  readonly summary: string
  /** It opens by itself, and stays open from then on. */
  readonly opens: boolean
  /** It is a part of a section, and no section of its own. */
  readonly isInner?: boolean
  /** The names of its fields, by which it is found to show one of them. */
  readonly holds?: readonly string[]
  readonly children: ReactNode
}

/** A section of a form that is closed until somebody wants it. What it holds is drawn when it is open. */
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
