import { ChevronDown, ChevronRight, Info, ListChecks } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'

import { belongsIn, lackingNeeded, REGISTER_NAMES, type RegisterName } from '#domain/registers.ts'
import { useStore } from '../../data/react.ts'
import type { BusinessView, FeedView, SiteView } from '../../data/state.ts'
import { useMessages, type Messages } from '../../messages/messages.ts'
import { PATHS } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { readView, writeView } from './list-view.ts'
import { selectionState } from './selection.tsx'
import './notes.css'

/** Unobtrusive notes for the owner: feeds that need a review, and fields that registers require. */
export const DashboardNotes = ({ business }: { readonly business: BusinessView }) => (
  <>
    <FeedsNote />
    <RegistersNote business={business} />
  </>
)

const NEED_ATTENTION: readonly FeedView['state'][] = ['NEEDS_REVIEW', 'FAILING', 'DEAD']

const FeedsNote = () => {
  const { registers: text } = useMessages()
  const store = useStore()
  const [count, setCount] = useState(0)
  useEffect(() => {
    let isCurrent = true
    const read = async () => {
      const { value: feeds = [] } = await (await store.openImports()).feeds()
      const waiting = feeds.filter((feed) => feed.is_active && NEED_ATTENTION.includes(feed.state))
      if (isCurrent) setCount(waiting.length)
    }
    // Only a convenience, because the owner also gets an email.
    void read().catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [store])
  return (
    count > 0 && (
      <Link className="banner info dashboard-note" to={PATHS.import}>
        <Info className="icon" />
        {text.feeds(count)}
      </Link>
    )
  )
}

/** The sites that lack fields that a register requires. */
interface Incomplete {
  readonly register: RegisterName
  /** The number of sites that the register covers. */
  readonly all: number
  readonly sites: readonly SiteView[]
  /** The number of sites left out, including those that only lack fields of the business. */
  readonly leftOut: number
  /** The sites that lack a field, by its name. */
  readonly byField: ReadonlyMap<string, readonly SiteView[]>
}

/** The missing fields that registers require. */
interface Missing {
  /** By register; the registers of a country come before the global ones. */
  readonly ofSites: readonly Incomplete[]
  /** The missing fields of the business, which affect all of its sites, with the registers that require them. */
  readonly ofBusiness: ReadonlyMap<string, readonly RegisterName[]>
}

const registersOf = ({ sites }: BusinessView): readonly RegisterName[] =>
  REGISTER_NAMES.filter((name) => sites.some((site) => belongsIn(name, site)))

/** Finds what is missing, up to the first register with incomplete sites unless `isWhole`. */
const findMissing = (business: BusinessView, isWhole: boolean): Missing => {
  const published = business.sites.filter((site) => site.published && site.status !== 'REMOVED')
  const ofBusiness = new Map<string, Set<RegisterName>>()
  const ofSites: Incomplete[] = []
  for (const register of REGISTER_NAMES) {
    const all = published.filter((site) => belongsIn(register, site))
    const byField = new Map<string, SiteView[]>()
    let leftOut = 0
    const sites = all.filter((site) => {
      const needed = lackingNeeded(register, site, business)
      if (needed.length > 0) leftOut++
      for (const { on, field } of needed)
        if (on === 'businesses')
          ofBusiness.set(field, (ofBusiness.get(field) ?? new Set()).add(register))
        else if (byField.get(field)?.push(site) === undefined) byField.set(field, [site])
      return needed.some(({ on }) => on !== 'businesses')
    })
    if (sites.length > 0) ofSites.push({ register, all: all.length, sites, leftOut, byField })
    if (ofSites.length > 0 && !isWhole) break
  }
  return {
    ofSites,
    ofBusiness: new Map([...ofBusiness].map(([field, registers]) => [field, [...registers]])),
  }
}

const describeIncomplete = (
  { about, registers: text }: Messages,
  { register, all, leftOut }: Incomplete,
): string => about(text.names[register], text.lacking(leftOut, all))

const RegistersNote = ({ business }: { readonly business: BusinessView }) => {
  const messages = useMessages()
  const text = messages.registers
  const [isOpen, setOpen] = useState(false)
  // With 10,000 sites, each register takes tens of milliseconds.
  const { ofSites, ofBusiness } = useMemo(() => findMissing(business, isOpen), [business, isOpen])
  const [first] = ofSites
  if (first === undefined && ofBusiness.size === 0)
    return (
      <p className="dashboard-registers muted">
        <ListChecks className="icon" />
        <span>{text.complete(registersOf(business).map((name) => text.names[name]))}</span>
      </p>
    )
  if (first === undefined) return <OfBusiness className="dashboard-registers" fields={ofBusiness} />
  return (
    <details
      className="dashboard-registers"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <ListChecks className="icon" />
        <span>{describeIncomplete(messages, first)}</span>
        <ChevronDown className="icon" />
      </summary>
      {ofBusiness.size > 0 && (
        <section>
          <OfBusiness fields={ofBusiness} />
        </section>
      )}
      {ofSites.map((each) => (
        <Register key={each.register} incomplete={each} />
      ))}
    </details>
  )
}

interface OfBusinessProps {
  readonly className?: string
  readonly fields: Missing['ofBusiness']
}

/** The missing fields of the business, which need to be filled in only once. */
const OfBusiness = ({ className, fields }: OfBusinessProps) => {
  const messages = useMessages()
  const text = messages.registers
  const labels: Readonly<Record<string, string>> = messages.fields.businesses
  const names = [...fields.keys()]
  const registers = new Set([...fields.values()].flat())
  return (
    <Link className={className} to={`${PATHS.editBusiness}#${names[0] ?? ''}`}>
      <ListChecks className="icon" />
      <span>
        {text.ofBusiness(
          [...registers].map((name) => text.names[name]),
          names.map((name) => labels[name] ?? name),
        )}
      </span>
      <ChevronRight className="icon" />
    </Link>
  )
}

const Register = ({ incomplete }: { readonly incomplete: Incomplete }) => {
  const messages = useMessages()
  const text = messages.registers
  const navigate = useNavigate()
  const { search } = useLocation()
  // All sites are shown, in the same layout and order.
  const unfiltered = { ...readView(search), query: '', status: undefined, lack: undefined }
  const labels: Readonly<Record<string, string>> = {
    ...messages.fields.connectors,
    ...messages.fields.sites,
  }
  return (
    <section>
      <h3>{describeIncomplete(messages, incomplete)}</h3>
      <ul>
        {[...incomplete.byField].map(([field, lacking]) => (
          <li key={field}>
            <span>{labels[field] ?? field}</span>
            <Button
              look="link"
              aria-label={text.chooseFor(text.choose(lacking.length), labels[field] ?? field)}
              onClick={() =>
                void navigate(
                  { search: writeView(search, unfiltered) },
                  { replace: true, state: selectionState(lacking) },
                )
              }
            >
              {text.choose(lacking.length)}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
