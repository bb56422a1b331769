import { sentenceOf, type SaidTariff } from '#domain/tariff-sentence.ts'
import type { PriceLimit } from '#domain/tariff-element.ts'
import { useLanguage } from '../../messages/messages.ts'
import { shortPlugName } from '../../messages/plugs.ts'

/** A tariff as it is stored: a limit that is not set is null. */
type StoredTariff = Omit<SaidTariff, 'min_price' | 'max_price'> & {
  readonly min_price?: PriceLimit | null | undefined
  readonly max_price?: PriceLimit | null | undefined
}

/** Says tariffs in words; the messages of `tariffs` have to be loaded. */
export const useTariffSentence = () => {
  const { messages, locale } = useLanguage()
  return ({ min_price, max_price, ...tariff }: StoredTariff): string =>
    sentenceOf(
      { ...tariff, min_price: min_price ?? undefined, max_price: max_price ?? undefined },
      {
        words: messages.tariffSentence,
        locale,
        plugName: (standard) => shortPlugName(messages, standard),
      },
    )
}
