import { ScrollToTop } from './scroll-to-top.tsx'
import { SyncToast } from './sync-toast.tsx'
import { ShortcutKeys } from './shortcut-keys.tsx'

type Props = Parameters<typeof ShortcutKeys>[0]

/** Parts of every screen that are not needed immediately. They load when the page is idle. */
export const IdleParts = (props: Props) => (
  <>
    <ScrollToTop />
    <ShortcutKeys {...props} />
    <SyncToast />
  </>
)
