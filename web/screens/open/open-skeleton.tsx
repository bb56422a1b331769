import { useMessages } from '../../messages/messages.ts'
import { useSettings } from '../../settings.ts'
import { FormatList } from './format-list.tsx'
import './open.css'

/** The page about open data before the app has started. Its formats are always the same. */
export const OpenSkeleton = () => {
  const text = useMessages().open
  const settings = useSettings()
  return (
    <div className="open-data stack">
      <p className="open-lead">{text.lead(settings['product-name'])}</p>
      <p className="open-facts" />
      <section className="stack">
        <div className="open-head">
          <h2>{text.formatsTitle}</h2>
        </div>
        <FormatList root={settings['base-path']} business={undefined} />
      </section>
    </div>
  )
}
