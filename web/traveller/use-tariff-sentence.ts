import { sentenceOf, type SaidTariff } from '#domain/tariff-sentence.ts'
import type { PriceLimit } from '#domain/tariff-element.ts'
import { useLanguage, type Language } from '../messages/messages.ts'
import { shortPlugName } from '../messages/plugs.ts'

/** A tariff as stored; a limit that is not set is null. */
type StoredTariff = Omit<SaidTariff, 'min_price' | 'max_price'> & {
  readonly min_price?: PriceLimit | null | undefined
  readonly max_price?: PriceLimit | null | undefined
}

/** Converts a stored tariff for `sentenceOf`. */
export const saidTariff = ({ min_price, max_price, ...tariff }: StoredTariff): SaidTariff => ({
  ...tariff,
  min_price: min_price ?? undefined,
  max_price: max_price ?? undefined,
})

/** Describes a tariff in words. The messages of `tariffs` must be loaded. */
export const tariffSentence = (
  tariff: StoredTariff,
  { messages, locale }: Pick<Language, 'messages' | 'locale'>,
): string =>
  sentenceOf(saidTariff(tariff), {
    words: messages.tariffSentence,
    locale,
    plugName: (standard) => shortPlugName(messages, standard),
  })

/** Returns a function that describes tariffs in words. The messages of `tariffs` must be loaded. */
export const useTariffSentence = () => {
  const language = useLanguage()
  return (tariff: StoredTariff): string => tariffSentence(tariff, language)
}
