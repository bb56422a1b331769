import { useDeferredValue, useState } from 'react'

import type { OpenBusiness } from '#domain/open-data.ts'
import { formatDay } from '../../format/date-time.ts'
import { useLanguage } from '../../messages/messages.ts'
import { Button } from '../../ui/button.tsx'
import { useFocusNewRows } from '../../ui/use-focus-new-rows.ts'
import { plainText, UserText } from '../../ui/user-text.tsx'

/** Number of businesses shown at first, and added each time. */
const PAGE = 50
/** Minimum number of businesses for a search box. */
const SEARCH_FROM = 8

interface Props {
  readonly all: readonly OpenBusiness[]
  readonly onChoose: (id: string) => void
}

/** The businesses, with the number of their sites and their licence. */
export const Businesses = ({ all, onChoose }: Props) => {
  const { messages } = useLanguage()
  const text = messages.open
  const [typed, setTyped] = useState('')
  const [limit, setLimit] = useState(PAGE)
  const query = useDeferredValue(typed.trim().toLocaleLowerCase())
  const found = all.filter(({ name }) => name.toLocaleLowerCase().includes(query))
  const shown = found.slice(0, limit)
  const focusNewRows = useFocusNewRows(shown, rowId)
  return (
    <>
      {all.length >= SEARCH_FROM && (
        <div className="field">
          <label htmlFor="open-search">{text.search}</label>
          <input
            id="open-search"
            type="search"
            className="input"
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
      )}
      <output className="visually-hidden">
        {query !== '' && text.found(found.length, all.length)}
      </output>
      {found.length === 0 ? (
        <p>{text.noneFound(typed.trim())}</p>
      ) : (
        <BusinessTable businesses={shown} onChoose={onChoose} />
      )}
      {found.length > limit && (
        <Button
          onClick={() => {
            focusNewRows()
            setLimit(limit + PAGE)
          }}
        >
          {text.more}
        </Button>
      )}
    </>
  )
}

const rowId = ({ id }: Pick<OpenBusiness, 'id'>): string => `open-${id}`

interface TableProps {
  readonly businesses: readonly OpenBusiness[]
  readonly onChoose: (id: string) => void
}

const BusinessTable = ({ businesses, onChoose }: TableProps) => {
  const { messages, locale } = useLanguage()
  const text = messages.open
  const { columns, only } = text
  const choose = (id: string) => {
    onChoose(id)
    document.getElementById('open-formats')?.scrollIntoView()
  }
  return (
    <table className="open-table">
      <thead>
        <tr>
          <th scope="col">{columns.name}</th>
          <th scope="col">{columns.licence}</th>
          <th scope="col">{columns.sites}</th>
          <th scope="col">{columns.changed}</th>
        </tr>
      </thead>
      <tbody>
        {businesses.map(({ id, name, licence, sites, changed }) => (
          <tr key={id}>
            <th scope="row">
              <Button
                id={rowId({ id })}
                look="link"
                aria-label={only(plainText(name))}
                onClick={() => choose(id)}
              >
                <UserText text={name} />
              </Button>
            </th>
            <td>{licence}</td>
            <td>{text.sites(sites)}</td>
            <td>{changed === '' ? '' : formatDay(Date.parse(changed), locale)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
