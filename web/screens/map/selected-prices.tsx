import type { ListedSite } from '#domain/public-read.ts'
import { useLanguage, useNumberFormat } from '../../messages/messages.ts'
import { pricesOf } from '../../traveller/prices.ts'
import { tariffSentence } from '../../traveller/use-tariff-sentence.ts'
import { onOneLine, UserText } from '../../ui/user-text.tsx'
import { plugGroupName, plugLines } from './plugs.ts'

/** The price in a sentence; several if connectors of the site have their own prices. */
export const SelectedPrices = ({ site }: { readonly site: ListedSite }) => {
  const language = useLanguage()
  const number = useNumberFormat()
  const { messages, locale } = language
  const prices = pricesOf(site)
  return (
    <ul className="finder-prices">
      {prices.map(({ tariff, connectors }) => {
        const sentence = tariff && tariffSentence(tariff, language)
        const cost = onOneLine(site.cost)
        if (sentence === undefined && cost === '') return null
        return (
          <li key={tariff?.id ?? ''}>
            {prices.length > 1 && (
              <span className="muted">
                {messages.about(
                  plugLines(connectors)
                    .map(
                      ({ group, kw }) =>
                        `${plugGroupName(messages, group)} ${messages.facts.power(number(kw))}`,
                    )
                    .join(', '),
                  '',
                )}
              </span>
            )}
            {sentence === undefined ? (
              <UserText text={cost} />
            ) : (
              sentence.slice(0, 1).toLocaleUpperCase(locale) + sentence.slice(1)
            )}
          </li>
        )
      })}
    </ul>
  )
}
