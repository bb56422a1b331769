import { ChevronDown, Info, ListChecks } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'

import { belongsIn, lackingFor, REGISTER_NAMES, type RegisterName } from '#domain/registers.ts'
import { useStore } from '../../data/react.ts'
import type { BusinessView, FeedView, SiteView } from '../../data/state.ts'
import { useMessages, type Messages } from '../../messages/messages.ts'
import { PATHS } from '../../paths.ts'
import { choosing } from './choice.tsx'
import './notes.css'

/** What waits for the owner, calmly: feeds that need a person, and what registers require of the sites. */
export const DashboardNotes = ({ business }: { readonly business: BusinessView }) => (
  <>
    <FeedsNote />
    <RegistersNote business={business} />
  </>
)

const NEED_A_PERSON: readonly FeedView['state'][] = ['NEEDS_REVIEW', 'FAILING', 'DEAD']

const FeedsNote = () => {
  const { registers: text } = useMessages()
  const store = useStore()
  const [count, setCount] = useState(0)
  useEffect(() => {
    let isHere = true
    const read = async () => {
      const { value: feeds = [] } = await (await store.openImports()).feeds()
      const waiting = feeds.filter((feed) => feed.is_active && NEED_A_PERSON.includes(feed.state))
      if (isHere) setCount(waiting.length)
    }
    // A convenience: the owner gets a mail as well.
    void read().catch(() => undefined)
    return () => {
      isHere = false
    }
  }, [store])
  return (
    count > 0 && (
      <Link className="banner info dashboard-note" to={PATHS.import}>
        <Info className="icon" aria-hidden="true" />
        {text.feeds(count)}
      </Link>
    )
  )
}

/** The sites that lack fields without which a register leaves them out. */
interface Incomplete {
  readonly register: RegisterName
  /** The sites that belong in it. */
  readonly all: number
  readonly sites: readonly SiteView[]
  /** Those that lack a field, by its name. */
  readonly byField: ReadonlyMap<string, readonly SiteView[]>
  readonly ofBusiness: readonly string[]
}

/** The registers that sites of the business belong in. */
const registersOf = ({ sites }: BusinessView): readonly RegisterName[] =>
  REGISTER_NAMES.filter((name) => sites.some((site) => belongsIn(name, site)))

/** Registers of a country come before those of the world. */
const findIncomplete = (business: BusinessView): readonly Incomplete[] => {
  const published = business.sites.filter((site) => site.published && site.status !== 'REMOVED')
  return REGISTER_NAMES.flatMap((register): Incomplete[] => {
    const all = published.filter((site) => belongsIn(register, site))
    const byField = new Map<string, SiteView[]>()
    const ofBusiness = new Set<string>()
    const sites = all.filter((site) => {
      const needed = lackingFor(register, { ...site }, business).filter(({ isNeeded }) => isNeeded)
      for (const { on, field } of needed)
        if (on === 'businesses') ofBusiness.add(field)
        else byField.set(field, [...(byField.get(field) ?? []), site])
      return needed.length > 0
    })
    return sites.length === 0
      ? []
      : [{ register, all: all.length, sites, byField, ofBusiness: [...ofBusiness] }]
  })
}

const wordIncomplete = (
  text: Messages['registers'],
  { register, all, sites }: Incomplete,
): string => `${text.names[register]}: ${text.lacking(sites.length, all)}`

const RegistersNote = ({ business }: { readonly business: BusinessView }) => {
  const { registers: text } = useMessages()
  const incomplete = useMemo(() => findIncomplete(business), [business])
  if (incomplete.length === 0)
    return (
      <p className="dashboard-registers muted">
        <ListChecks className="icon" aria-hidden="true" />
        <span>{text.complete(registersOf(business).map((name) => text.names[name]))}</span>
      </p>
    )
  return (
    <details className="dashboard-registers">
      <summary>
        <ListChecks className="icon" aria-hidden="true" />
        <span>{incomplete.slice(0, 1).map((each) => wordIncomplete(text, each))}</span>
        <ChevronDown className="icon" aria-hidden="true" />
      </summary>
      {incomplete.map((each) => (
        <Register key={each.register} incomplete={each} />
      ))}
    </details>
  )
}

const Register = ({ incomplete }: { readonly incomplete: Incomplete }) => {
  const messages = useMessages()
  const text = messages.registers
  const navigate = useNavigate()
  const { byField, ofBusiness } = incomplete
  const labels: Readonly<Record<string, string>> = {
    ...messages.fields.connectors,
    ...messages.fields.sites,
  }
  const businessLabels: Readonly<Record<string, string>> = messages.fields.businesses
  return (
    <section>
      <h3>{wordIncomplete(text, incomplete)}</h3>
      {ofBusiness.length > 0 && (
        <p>
          {text.ofBusiness}{' '}
          <Link to={PATHS.editBusiness}>
            {ofBusiness.map((name) => businessLabels[name]).join(', ')}
          </Link>
        </p>
      )}
      <ul>
        {[...byField].map(([field, lacking]) => (
          <li key={field}>
            <span>{labels[field] ?? field}</span>
            <button
              type="button"
              className="button link"
              aria-label={text.chooseFor(text.choose(lacking.length), labels[field] ?? field)}
              onClick={() =>
                void navigate({ search: '' }, { replace: true, state: choosing(lacking) })
              }
            >
              {text.choose(lacking.length)}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
