import { CURRENT_TYPES, FORMATS, STANDARDS, type CurrentType } from '#domain/connector.ts'
import { warningsOf, type Described, type Warning } from '#domain/plug.ts'
import type { Messages } from '../../messages/messages.ts'
import { shortPlugName } from '../../messages/plugs.ts'
import { formatDecimal } from '../../format/decimal.ts'
import { parseKw, type ConnectorRow } from './site-values.ts'

/** Warnings about a row, by field. */
export type RowWarnings = Partial<Record<'format' | 'current_type' | 'kw_rating', string>>

/** The parsed values of a row; undefined if invalid. */
export const parseRow = (row: ConnectorRow): Described => ({
  standard: STANDARDS.find((each) => each === row.standard),
  format: FORMATS.find((each) => each === row.format),
  current_type: CURRENT_TYPES.find((each) => each === row.current_type),
  kw_rating: parseKw(row.kw_rating),
})

/** Describes the warnings about a row. */
export const rowWarnings = (messages: Messages, locale: string, row: ConnectorRow): RowWarnings => {
  const connector = parseRow(row)
  const texts = messages.connectors.warnings
  const plug = connector.standard === undefined ? '' : shortPlugName(messages, connector.standard)
  const kw = formatDecimal(connector.kw_rating ?? 0, locale)
  const describeWarning = (warning: Warning): RowWarnings => {
    switch (warning.about) {
      case 'power':
        return { kw_rating: texts.power(kw) }
      case 'powerOfPlug':
        return { kw_rating: texts.powerOfPlug(kw, plug, formatDecimal(warning.maxKw, locale)) }
      case 'currentOfPower':
        return { current_type: texts.currentOfPower(kw, listed(messages, locale, warning.usual)) }
      case 'currentOfPlug':
        return { current_type: currentOfPlug(warning.usual) }
      case 'format':
        return { format: warning.usual === 'CABLE' ? texts.cable(plug) : texts.socket(plug) }
    }
  }
  const currentOfPlug = (usual: readonly CurrentType[]): string => {
    if (usual.every((current) => current === 'DC')) return texts.dcOnly(plug)
    if (connector.current_type === 'DC') return texts.acOnly(plug)
    return texts.currentOfPlug(plug, listed(messages, locale, usual))
  }
  return Object.assign({}, ...warningsOf(connector).map(describeWarning)) as RowWarnings
}

const listed = (messages: Messages, locale: string, currents: readonly CurrentType[]): string =>
  new Intl.ListFormat(locale, { type: 'disjunction' }).format(
    currents.map((current) => `“${messages.currentShort[current]}”`),
  )
