import type { Connector } from '#domain/connector.ts'
import { useLanguage } from '../../messages/messages.ts'
import { shortPlugName } from '../../messages/plugs.ts'

/** Words a connector by its plug and its power; one that is not there as nothing. */
export const useConnectorWords = () => {
  const { messages, locale } = useLanguage()
  const number = new Intl.NumberFormat(locale)
  return (connector: unknown): string => {
    const { standard, kw_rating: kw } = (connector ?? {}) as Partial<Connector>
    if (standard === undefined || kw === undefined) return messages.imports.nothing
    return `${shortPlugName(messages, standard)}, ${messages.facts.power(number.format(kw))}`
  }
}
