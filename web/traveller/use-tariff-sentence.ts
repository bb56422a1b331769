import { sentenceOf, type SaidTariff } from '#domain/tariff-sentence.ts'
import type { PriceLimit } from '#domain/tariff-element.ts'
import { useLanguage, type Language } from '../messages/messages.ts'
import { shortPlugName } from '../messages/plugs.ts'

/** A tariff as it is stored: a limit that is not set is null. */
type StoredTariff = Omit<SaidTariff, 'min_price' | 'max_price'> & {
  readonly min_price?: PriceLimit | null | undefined
  readonly max_price?: PriceLimit | null | undefined
}

/** What a stored tariff says. */
export const saidTariff = ({ min_price, max_price, ...tariff }: StoredTariff): SaidTariff => ({
  ...tariff,
  min_price: min_price ?? undefined,
  max_price: max_price ?? undefined,
})

/** Says a tariff in words; the messages of `tariffs` have to be loaded. */
export const tariffSentence = (
  tariff: StoredTariff,
  { messages, locale }: Pick<Language, 'messages' | 'locale'>,
): string =>
  sentenceOf(saidTariff(tariff), {
    words: messages.tariffSentence,
    locale,
    plugName: (standard) => shortPlugName(messages, standard),
  })

/** Says tariffs in words; the messages of `tariffs` have to be loaded. */
export const useTariffSentence = () => {
  const language = useLanguage()
  return (tariff: StoredTariff): string => tariffSentence(tariff, language)
}
