import { ChevronDown } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'

interface Props {
  readonly title: string
  /** A one-line summary of the contents. */
  readonly summary: string
  /** Opens the section; it stays open when this becomes false again. */
  readonly forceOpen: boolean
  /** True inside a section, where it is not a section itself. */
  readonly isInner?: boolean
  /** The names of its fields, which the focus of a field needs to find the section. */
  readonly fields?: readonly string[]
  readonly children: ReactNode
}

/** A collapsible section of a form, initially closed. The contents are rendered only while it is open. */
export const Disclosure = ({
  title,
  summary,
  forceOpen,
  isInner = false,
  fields,
  children,
}: Props) => {
  const [isOpen, setOpen] = useState(false)
  const panel = useId()
  if (forceOpen && !isOpen) setOpen(true)
  const Heading = isInner ? 'h3' : 'h2'
  const content = (
    <>
      <Heading>
        <button
          type="button"
          className="disclosure-button"
          aria-expanded={isOpen}
          aria-controls={panel}
          onClick={() => setOpen(!isOpen)}
        >
          <span className="disclosure-title">{title}</span>{' '}
          <span className="disclosure-summary">{summary}</span>
          <ChevronDown className="icon" />
        </button>
      </Heading>
      <div className="disclosure-panel" id={panel} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </>
  )
  return isInner ? (
    <div className="disclosure inner">{content}</div>
  ) : (
    <section
      className="card form-section disclosure"
      aria-label={title}
      data-fields={fields?.join(' ')}
    >
      {content}
    </section>
  )
}
