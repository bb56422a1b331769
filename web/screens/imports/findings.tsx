import type { Repair } from '#domain/repair.ts'
import { useMessages } from '../../messages/messages.ts'
import { useValueWords, ValueChange } from './value-change.tsx'
import { fieldOf, wordField, wordName } from './words.ts'

/** What a rule changes, or would change; the same change of several plugs is told once, and none that cannot be seen. */
export const Findings = ({ findings }: { readonly findings: readonly Repair[] }) => {
  const messages = useMessages()
  const text = messages.imports
  const word = useValueWords()
  const worded = findings.map(({ field, before, after }) => ({
    field,
    before: word(field, before),
    after: word(field, after),
  }))
  const seen = worded.filter(({ before, after }) => flat(before) !== flat(after))
  const groups = Map.groupBy(seen, ({ field, before, after }) =>
    JSON.stringify([field.replace(/\[\d+\]/, ''), before, after]),
  )
  if (groups.size === 0) return null
  const wordPlace = (path: string, count: number): string => {
    if (count === 1) return wordField(messages, path)
    const { name } = fieldOf(path)
    const plugs = text.plugs(count)
    return name === '' ? plugs : messages.about(plugs, wordName(messages, 'connectors', name))
  }
  return (
    <dl className="value-changes">
      {[...groups].map(([key, group]) => (
        <ValueChange
          key={key}
          label={wordPlace(group[0]?.field ?? '', group.length)}
          before={group[0]?.before ?? ''}
          after={group[0]?.after ?? ''}
        />
      ))}
    </dl>
  )
}

/** As a page shows it: spaces of any kind and number are one. */
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
