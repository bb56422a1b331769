import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

import type { SiteView } from '../../data/state.ts'
import { useMessages, useNumberFormat } from '../../messages/messages.ts'
import { UserText } from '../../ui/user-text.tsx'
import { plugWords } from './plug-words.ts'
import './print-table.css'

/** Is the page being printed? True before the browser lays it out for that. */
const usePrinting = (): boolean => {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    // At once: what React did later would come too late for the paper.
    const begin = () => flushSync(() => setPrinting(true))
    const end = () => setPrinting(false)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting
}

/** All sites of the list on paper, which shows no more of a long list than is in the page. */
export const PrintTable = ({ sites }: { readonly sites: readonly SiteView[] }) => {
  const messages = useMessages()
  const number = useNumberFormat()
  const isPrinting = usePrinting()
  const { columns } = messages.dashboard
  if (!isPrinting) return null
  return (
    <table className="print-table">
      <thead>
        <tr>
          <th scope="col">{columns.name}</th>
          <th scope="col">{columns.status}</th>
          <th scope="col">{columns.connectors}</th>
          <th scope="col">{columns.capacity}</th>
          <th scope="col">{columns.cost}</th>
        </tr>
      </thead>
      <tbody>
        {sites.map((site) => (
          <tr key={site.id}>
            <th scope="row">
              <strong>
                <UserText text={site.name} />
              </strong>
              <br />
              <UserText text={site.address} />
            </th>
            <td>{messages.status[site.status]}</td>
            <td>{plugWords(site, messages, number)}</td>
            <td>{number(site.vehicle_capacity)}</td>
            <td>
              <UserText text={site.cost} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
