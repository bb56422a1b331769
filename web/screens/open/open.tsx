import { useState } from 'react'
import { useSearchParams } from 'react-router'

import type { OpenCatalogue, OpenFormat } from '#domain/open-data.ts'
import { readBusinesses, readCatalogue } from '../../data/open-data.ts'
import { formatSize } from '../../format/size.ts'
import { formatRecentTime } from '../../format/date-time.ts'
import { useLanguage } from '../../messages/messages.ts'
import { useSettings } from '../../settings.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { plainText } from '../../ui/user-text.tsx'
import { useRead } from '../shared/use-read.ts'
import { Businesses } from './businesses.tsx'
import { Examples } from './examples.tsx'
import { FormatList } from './format-list.tsx'
import { Licences } from './licences.tsx'
import './open.css'

/** Up to this number, all businesses are listed immediately; more on request. */
const LISTED_AT_ONCE = 200

/** The id of the heading of the formats. */
const FORMATS_ID = 'open-formats'

/** The page about open data: formats, URLs and licences, of all businesses or of one. */
export const OpenData = () => {
  const { messages, locale } = useLanguage()
  const text = messages.open
  const settings = useSettings()
  const basePath = settings['base-path']
  const [query, setQuery] = useSearchParams()
  const id = query.get('business') ?? undefined
  const { value: catalogue, ...read } = useRead(`catalogue ${id}`, (signal) =>
    readCatalogue(basePath, id, signal),
  )
  const [isAsked, setAsked] = useState(false)
  const count = catalogue?.licences.reduce((sum, { businesses }) => sum + businesses, 0) ?? 0
  const isListed = isAsked || id !== undefined || (count > 0 && count <= LISTED_AT_ONCE)
  const { value: businesses } = useRead(
    'businesses',
    isListed ? (signal) => readBusinesses(basePath, signal) : undefined,
  )
  const business = businesses?.find((each) => each.id === id)
  const root = location.origin + basePath
  const sizeOf = (wanted: OpenFormat): string => {
    const bytes = catalogue?.formats.find(({ format }) => format === wanted)?.bytes
    return bytes === undefined ? '' : text.size(formatSize(bytes, locale))
  }
  const choose = (chosen: string | undefined) => {
    setQuery(chosen === undefined ? {} : { business: chosen }, { preventScrollReset: true })
    // The pressed button disappears.
    document.getElementById(FORMATS_ID)?.focus()
  }
  return (
    <div className="open-data stack">
      <p className="open-lead">{text.lead(settings['product-name'])}</p>
      <Facts catalogue={catalogue} />
      {read.problem !== undefined && (
        <Banner
          tone="warn"
          title={text.notLoaded}
          actions={<Button onClick={read.retry}>{messages.actions.retry}</Button>}
        >
          {messages.problems[read.problem.kind]}
        </Banner>
      )}
      <section className="stack" aria-labelledby={FORMATS_ID}>
        <div className="open-head">
          <h2 id={FORMATS_ID} tabIndex={-1}>
            {business === undefined ? text.formatsTitle : text.formatsOf(plainText(business.name))}
          </h2>
          {id !== undefined && <Button onClick={() => choose(undefined)}>{text.all}</Button>}
        </div>
        <FormatList root={root} business={id} sizeOf={sizeOf} />
      </section>
      <Examples root={root} business={id} />
      {catalogue !== undefined && catalogue.licences.length > 0 && (
        <Licences licences={catalogue.licences}>
          {businesses === undefined ? (
            <Button onClick={() => setAsked(true)}>{text.businesses(count)}</Button>
          ) : (
            <Businesses all={businesses} onChoose={choose} />
          )}
        </Licences>
      )}
    </div>
  )
}

const Facts = ({ catalogue }: { readonly catalogue: OpenCatalogue | undefined }) => {
  const { messages, locale } = useLanguage()
  const text = messages.open
  const [now] = useState(Date.now)
  if (catalogue === undefined) return <p className="open-facts" />
  const { sites, connectors, changed } = catalogue
  return (
    <p className="open-facts">
      <span>{sites === 0 ? text.none : text.sites(sites)}</span>
      {connectors > 0 && <span>{messages.facts.connectors(connectors)}</span>}
      {changed !== '' && (
        <span>{text.changed(formatRecentTime(Date.parse(changed), now, locale))}</span>
      )}
    </p>
  )
}
