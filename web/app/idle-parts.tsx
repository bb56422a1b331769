import { SentNews } from './sent-news.tsx'
import { ShortcutKeys } from './shortcut-keys.tsx'

type Props = Parameters<typeof ShortcutKeys>[0]

/** What every screen has, and none needs at once: it loads when the page is idle. */
export const IdleParts = (props: Props) => (
  <>
    <ShortcutKeys {...props} />
    <SentNews />
  </>
)
