import { useStoreState } from '../../data/react.ts'
import { useLanguage } from '../../messages/messages.ts'
import type { Vocabulary } from '../shared/format-value.ts'

/** The language of the page, and the data that values refer to. */
export const useVocabulary = (): Vocabulary => {
  const { messages, locale } = useLanguage()
  const { data } = useStoreState()
  return { messages, locale, data }
}
