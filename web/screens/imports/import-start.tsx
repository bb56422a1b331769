import type { Imports } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { Feeds } from './feeds.tsx'
import { FormerImports } from './former-imports.tsx'
import { SourceForm } from './source-form.tsx'

/** A new import, the feeds, and the former imports. */
export const ImportStart = ({ calls }: { readonly calls: Imports }) => {
  const text = useMessages().imports
  return (
    <div className="imports stack">
      <p className="imports-lead">{text.lead}</p>
      <SourceForm calls={calls} />
      <Feeds calls={calls} />
      <FormerImports calls={calls} />
    </div>
  )
}
