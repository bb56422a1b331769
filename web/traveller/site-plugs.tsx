import { groupConnectors, inDisplayOrder } from '#domain/connector.ts'
import type { PublicConnector } from '#domain/public-site.ts'
import { useMessages, useNumberFormat, type Language } from '../messages/messages.ts'
import { shortPlugName } from '../messages/plugs.ts'
import { PlugDrawing } from '../ui/plug-drawing.tsx'

interface Props {
  readonly connectors: readonly PublicConnector[]
}

/** The plugs of a site: how many of each kind, and their power. */
export const SitePlugs = ({ connectors }: Props) => {
  const messages = useMessages()
  const number = useNumberFormat()
  return (
    <ul className="plug-list">
      {groupConnectors(inDisplayOrder(connectors)).map(({ first, all }) => (
        <li key={first.id}>
          <PlugDrawing standard={first.standard} />
          <span className="plug-name">
            {all.length > 1 && `${messages.facts.times(all.length)} `}
            {shortPlugName(messages, first.standard)}
          </span>
          <span className="plug-kind">
            {messages.currentShort[first.current_type]} · {messages.formatShort[first.format]}
          </span>
          <span className="plug-power">{messages.facts.power(number(first.kw_rating))}</span>
        </li>
      ))}
    </ul>
  )
}

/** Names the plugs of some connectors with their powers: `CCS2 150 kW, Type 2 22 kW`. */
export const plugNames = (
  connectors: readonly PublicConnector[],
  { messages, locale }: Pick<Language, 'messages' | 'locale'>,
): string => {
  const number = new Intl.NumberFormat(locale)
  const names = groupConnectors(inDisplayOrder(connectors)).map(
    ({ first: { standard, kw_rating } }) =>
      `${shortPlugName(messages, standard)} ${messages.facts.power(number.format(kw_rating))}`,
  )
  return [...new Set(names)].join(', ')
}
