import { CircleCheck, Zap } from 'lucide-react'

import { useMessages, useNumberFormat } from '../messages/messages.ts'
import { shortPlugName } from '../messages/plugs.ts'
import './site-card.css'
import { SitePicture } from './site-picture.tsx'

const CONNECTORS = [
  { count: 4, standard: 'IEC_62196_T2_COMBO', current: 'DC', format: 'CABLE', kw: 150 },
  { count: 2, standard: 'IEC_62196_T2', current: 'AC_3_PHASE', format: 'SOCKET', kw: 22 },
] as const

/** A sample site card for visitors without sites. */
export const ExampleSite = () => {
  const messages = useMessages()
  const number = useNumberFormat()
  const { example } = messages.home
  return (
    <figure className="example-site">
      <div className="card site-card">
        <SitePicture />
        <span className="badge example-badge">{messages.home.exampleBadge}</span>
        <div className="site-card-text">
          <div className="site-card-head">
            <p className="site-card-title">{example.name}</p>
            <span className="badge ok">
              <CircleCheck className="icon" />
              {messages.status.AVAILABLE}
            </span>
          </div>
          <p className="muted">{example.address}</p>
          <p className="site-card-facts">
            {messages.facts.capacity(6)} · {example.cost}
          </p>
          <ul className="plug-list">
            {CONNECTORS.map(({ count, standard, current, format, kw }) => (
              <li key={standard}>
                <Zap className="icon" />
                <span className="plug-name">
                  {messages.facts.times(count)} {shortPlugName(messages, standard)}
                </span>
                <span className="plug-kind">
                  {messages.currentShort[current]} · {messages.formatShort[format]}
                </span>
                <span className="plug-power">{messages.facts.power(number(kw))}</span>
              </li>
            ))}
          </ul>
        </div>
      </div>
      <figcaption className="muted">{messages.home.exampleTitle}</figcaption>
    </figure>
  )
}
