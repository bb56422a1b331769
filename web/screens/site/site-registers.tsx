import { ChevronDown } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { Link } from 'react-router'

import { belongsIn, lackingFor, REGISTER_NAMES, type Lacking } from '#domain/registers.ts'
import type { BusinessView, SiteView } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { PATHS } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { revealField } from '../../ui/reveal.ts'
import './site-registers.css'

interface Props {
  readonly site: SiteView
  readonly business: BusinessView
}

/** The missing fields of a stored site that the registers of its country, and the global ones, require. */
export const SiteRegisters = ({ site, business }: Props) => {
  const { registers: text } = useMessages()
  const [isOpen, setOpen] = useState(false)
  const panel = useId()
  const registers = REGISTER_NAMES.filter((name) => belongsIn(name, site)).map((name) => ({
    name,
    lacking: lackingFor(name, site, business),
  }))
  const complete = registers.filter(({ lacking }) => lacking.every(({ isNeeded }) => !isNeeded))
  const shown = registers.filter(({ lacking }) => lacking.length > 0)
  return (
    <section className="site-registers" aria-label={text.title}>
      <button
        type="button"
        className="site-registers-summary"
        aria-expanded={isOpen}
        aria-controls={panel}
        onClick={() => setOpen(!isOpen)}
      >
        {/* One line: the largest text of the page is in its skeleton, so that it is painted first. */}
        <span>
          {complete.length === registers.length
            ? text.completeForAll(registers.length)
            : text.incompleteFor(registers.length - complete.length, registers.length)}
        </span>
        <ChevronDown className="icon" />
      </button>
      <div id={panel} className="site-registers-panel" hidden={!isOpen}>
        {shown.map(({ name, lacking }) => (
          <div key={name}>
            <Fields
              title={text.needs(text.names[name])}
              fields={lacking.filter(({ isNeeded }) => isNeeded)}
            />
            <Fields
              title={text.asks(text.names[name])}
              fields={lacking.filter(({ isNeeded }) => !isNeeded)}
            />
          </div>
        ))}
        {complete.length > 0 && (
          <p>{text.complete(complete.map(({ name }) => text.names[name]))}</p>
        )}
      </div>
    </section>
  )
}

interface FieldsProps {
  readonly title: string
  readonly fields: readonly Lacking[]
}

const Fields = ({ title, fields }: FieldsProps) =>
  fields.length > 0 && (
    <>
      <p>{title}</p>
      <ul>
        {fields.map((field) => (
          <li key={`${field.on}.${field.field}`}>
            <FieldWay lacking={field} />
          </li>
        ))}
      </ul>
    </>
  )

/** Links to the control of a field. */
const FieldWay = ({ lacking: { on, field, count } }: { readonly lacking: Lacking }): ReactNode => {
  const messages = useMessages()
  const labels: Readonly<Record<string, string>> = messages.fields[on]
  const label = labels[field] ?? field
  if (on === 'businesses') return <Link to={`${PATHS.editBusiness}#${field}`}>{label}</Link>
  return (
    <Button
      look="link"
      onClick={() => void (on === 'sites' ? revealField(field) : revealConnectors())}
    >
      {on === 'connectors' ? `${label} (${messages.facts.connectors(count)})` : label}
    </Button>
  )
}

/** Focuses the first row of connectors; the details of the rows show which connector lacks a value. */
const revealConnectors = (): void => {
  const row = document.querySelector<HTMLElement>(
    '[aria-labelledby="connectors-title"] [aria-expanded]',
  )
  row?.scrollIntoView({ block: 'center' })
  row?.focus({ preventScroll: true })
}
