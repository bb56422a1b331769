import type { ImportChange } from '#domain/import.ts'
import { useStoreState } from '../../data/react.ts'
import type { ImportRowView } from '../../data/state.ts'
import { useLanguage } from '../../messages/messages.ts'
import { wordNamedValue } from '../shared/value-words.ts'
import { ValueChange } from './value-change.tsx'
import { useConnectorWords } from './use-connector-words.ts'

/** What changes of a site that is there: its own fields, then connector by connector. */
export const ChangeList = ({ row }: { readonly row: ImportRowView }) => {
  const { messages, locale } = useLanguage()
  const text = messages.imports
  const { data } = useStoreState()
  const wordConnector = useConnectorWords()
  const site = data?.sites.find(({ id }) => id === row.site)
  const words = (change: ImportChange): [string, string, string] => {
    const { record, field, before, after } = change
    if (field === '*') return [text.wholeConnector, wordConnector(before), wordConnector(after)]
    const isSite = record === row.site
    const collection = isSite ? 'sites' : 'connectors'
    const labels: Readonly<Record<string, string>> = messages.fields[collection]
    const timeZone = site?.time_zone
    const word = (value: unknown): string =>
      wordNamedValue({ messages, locale, data }, { collection, name: field, value, timeZone })
    const connector = site?.connectors.find(({ id }) => id === record)
    const label = labels[field] ?? field
    return [
      isSite ? label : messages.about(wordConnector(connector), label),
      word(before),
      word(after),
    ]
  }
  return (
    <section>
      <h3>{text.changesTitle}</h3>
      <dl className="value-changes">
        {(row.changes ?? []).map((change, index) => {
          const [label, before, after] = words(change)
          return <ValueChange key={index} label={label} before={before} after={after} />
        })}
      </dl>
    </section>
  )
}
