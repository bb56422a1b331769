import { useEffect, useState } from 'react'

import { groupConnectors, inDisplayOrder, type Connector } from '#domain/connector.ts'
import type { ImportedStation } from '#domain/import.ts'
import type { Imports, ImportRowView, Problem } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { useVocabulary } from './use-vocabulary.ts'
import { describeConnector, describePrice, formatStationValue } from './describe.ts'

interface Props {
  readonly row: ImportRowView
  readonly calls: Imports
}

/** The complete values of a new site, read when its row is opened. */
export const NewStation = ({ row, calls }: Props) => {
  const { id: rowId, prices } = row
  const messages = useMessages()
  const text = messages.imports
  const [read, setRead] = useState<{ station?: ImportedStation | null; problem?: Problem }>({})
  useEffect(() => {
    let isCurrent = true
    void calls.station(rowId).then(({ value, problem }) => {
      if (isCurrent) setRead(problem === undefined ? { station: value ?? null } : { problem })
    })
    return () => {
      isCurrent = false
    }
  }, [calls, rowId])
  if (read.problem !== undefined)
    return <p className="muted">{messages.problems[read.problem.kind]}</p>
  if (read.station === undefined || read.station === null)
    return <span className="skeleton skeleton-field" aria-busy={read.station === undefined} />
  return (
    <section>
      <h4>{text.newSite}</h4>
      <StationValues station={read.station} prices={prices} />
    </section>
  )
}

interface ValuesProps {
  readonly station: ImportedStation
  readonly prices: ImportRowView['prices']
}

const StationValues = ({ station, prices }: ValuesProps) => {
  const vocabulary = useVocabulary()
  const { messages } = vocabulary
  const labels = Object.entries(messages.fields.sites).filter(
    ([name]) => !isBlank(station.site[name]),
  )
  const groups = groupConnectors(
    inDisplayOrder(station.connectors as unknown as readonly Connector[]),
  )
  const connectorPrices = [...new Set(station.connectors.map(({ tariff }) => tariff))].flatMap(
    (id) => describePrice(vocabulary, prices, id) ?? [],
  )
  return (
    <dl className="station-values">
      {labels.map(([name, label]) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd>
            {(name === 'tariff'
              ? describePrice(vocabulary, prices, station.site[name])
              : undefined) ?? formatStationValue(vocabulary, name, station.site[name])}
          </dd>
        </div>
      ))}
      {groups.length > 0 && (
        <div>
          <dt>{messages.facts.connectors(station.connectors.length)}</dt>
          <dd>
            {groups
              .map(
                ({ first, all }) =>
                  `${messages.facts.times(all.length)} ${describeConnector(vocabulary, first)}`,
              )
              .join('; ')}
          </dd>
        </div>
      )}
      {connectorPrices.length > 0 && (
        <div>
          <dt>{messages.fields.connectors.tariff}</dt>
          <dd>{connectorPrices.join('; ')}</dd>
        </div>
      )}
    </dl>
  )
}

const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0)
