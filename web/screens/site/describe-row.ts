import type { Messages } from '../../messages/messages.ts'
import { shortPlugName } from '../../messages/plugs.ts'
import { formatDecimal } from '../../format/decimal.ts'
import { parseRow } from './connector-warnings.ts'
import { parseKw, type ConnectorRow as Row } from './site-values.ts'

/** A plug with its power, for use in a sentence. */
export const describeRow = (
  messages: Messages,
  locale: string,
  row: Row,
  count = row.ids.length,
) => {
  const { name, power } = rowSummary(messages, locale, { ...row, ids: row.ids.slice(0, count) })
  return `${name} ${power}`.trim()
}

/** The summary of a row. Missing values are omitted. */
export const rowSummary = (messages: Messages, locale: string, row: Row) => {
  const { standard, format, current_type: current } = parseRow(row)
  const kw = parseKw(row.kw_rating)
  const plug =
    standard === undefined
      ? row.standard || messages.connectors.blank
      : shortPlugName(messages, standard)
  const count = row.ids.length
  return {
    name: count === 1 ? plug : `${messages.facts.times(count)} ${plug}`,
    kind: [
      ...(current === undefined ? [] : [messages.currentShort[current]]),
      ...(format === undefined ? [] : [messages.formatShort[format]]),
    ].join(' · '),
    power: kw === undefined ? '' : messages.facts.power(formatDecimal(kw, locale)),
  }
}
