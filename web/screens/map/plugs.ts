import type { Standard } from '#domain/connector.ts'
import { PLUG_GROUP_NAMES, PLUG_GROUPS, type PlugGroup } from '#domain/plug-group.ts'
import type { SiteFilter } from '#domain/public-read.ts'
import type { PublicConnector } from '#domain/public-site.ts'
import { parseTag } from '../../messages/locale.ts'
import type { Messages } from '../../messages/messages.ts'
import { shortPlugName } from '../../messages/plugs.ts'

/** The name of a group of plugs. */
export const plugGroupName = (messages: Messages, group: PlugGroup): string => {
  const named: Partial<Record<PlugGroup, string>> = messages.plugGroup
  return named[group] ?? shortPlugName(messages, standardOf(group))
}

/** The standard whose drawing represents the group. */
export const standardOf = (group: PlugGroup): Standard =>
  group === 'SOCKET' ? 'DOMESTIC_F' : PLUG_GROUPS[group][0]

/** The usual plug for fast charging in a region; elsewhere it is CCS2. By ISO 3166-1 alpha-2. */
const FAST_PLUGS: Readonly<Partial<Record<string, PlugGroup>>> = {
  US: 'CCS_1',
  CA: 'CCS_1',
  KR: 'CCS_1',
  JP: 'CHADEMO',
  CN: 'GBT_DC',
}
const FAST_KW = 150

type PlugFilter = Pick<SiteFilter, 'plugs' | 'minKw'>

/** The filter for fast charging on a long journey, in the region of a language tag such as `fr-FR`. */
export const fastCharging = (language: string): PlugFilter => ({
  plugs: [FAST_PLUGS[parseTag(language)?.region ?? ''] ?? 'CCS_2'],
  minKw: FAST_KW,
})

/** Returns whether a filter equals the one for fast charging. */
export const isFastCharging = ({ plugs, minKw }: PlugFilter, fast: PlugFilter): boolean =>
  minKw === fast.minKw && plugs.length === 1 && plugs[0] === fast.plugs[0]

const GROUP_OF = new Map<Standard, PlugGroup>(
  PLUG_GROUP_NAMES.flatMap((group) => PLUG_GROUPS[group].map((standard) => [standard, group])),
)

interface PlugLine {
  readonly group: PlugGroup
  readonly count: number
  readonly kw: number
  readonly weakestKw: number
}

/**
 * Groups the plugs of a site: their number, and the power of the strongest and the weakest. The strongest group comes
 * first.
 */
export const plugLines = (connectors: readonly PublicConnector[]): readonly PlugLine[] =>
  [...Map.groupBy(connectors, ({ standard }) => GROUP_OF.get(standard) ?? 'SOCKET')]
    .map(([group, all]) => ({
      group,
      count: all.length,
      kw: Math.max(...all.map(({ kw_rating }) => kw_rating)),
      weakestKw: Math.min(...all.map(({ kw_rating }) => kw_rating)),
    }))
    .toSorted((one, other) => other.kw - one.kw)
