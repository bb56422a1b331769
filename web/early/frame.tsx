import { ArrowLeft } from 'lucide-react'

import { LeafTile } from '../ui/leaf.tsx'

interface Props {
  /** What stands at the left of the bar, as in `routes.ts`. */
  readonly start: 'logo' | 'back'
}

/**
 * What is seen of a screen before the app has come: the bar, in the place where the app puts it. It
 * says no word, because the language may be another one than the browser's.
 */
export const Frame = ({ start }: Props) => (
  <div className="shell" aria-hidden="true">
    <header className="top-bar">
      <div className="top-bar-row">
        {start === 'logo' ? (
          <div>
            <LeafTile />
          </div>
        ) : (
          <span className="button icon-only">
            <ArrowLeft className="icon" />
          </span>
        )}
      </div>
    </header>
  </div>
)
