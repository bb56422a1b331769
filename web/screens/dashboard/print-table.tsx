import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

import type { BusinessView, SiteView } from '../../data/state.ts'
import { useMessages, useNumberFormat } from '../../messages/messages.ts'
import { UserText } from '../../ui/user-text.tsx'
import { priceOf } from './overview.ts'
import { describePlugs } from './describe-plugs.ts'
import './print-table.css'

/** Returns whether the page is being printed; true before the browser computes the print layout. */
const usePrinting = (): boolean => {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    // Synchronous, because a later render would miss the print.
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

interface Props {
  readonly sites: readonly SiteView[]
  readonly business: BusinessView
}

/** All sites of the list for printing, because the screen renders only a part of a long list. */
export const PrintTable = ({ sites, business }: Props) => {
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
            <td>{describePlugs(site, messages, number)}</td>
            <td>{number(site.vehicle_capacity)}</td>
            <td>
              <UserText text={priceOf(site, business)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
