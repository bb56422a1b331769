import { useSettings } from '../../settings.ts'
import { useMessages } from '../../messages/messages.ts'
import '../../ui/form.css'
import { FieldSkeleton, FormSkeleton } from '../shared/form-skeleton.tsx'

/** The top of a site's form while its values load. */
export const SiteSkeleton = () => {
  const { site: text, fields, location } = useMessages()
  const labels = fields.sites
  const searchable = useSettings()['address-search'] === 'on'
  return (
    <FormSkeleton>
      <section className="card form-section">
        <h2>{text.whereTitle}</h2>
        <FieldSkeleton
          label={labels.address}
          hint={searchable ? location.addressHint : location.addressHintPlain}
        />
        <div className="field">
          <div className="pair">
            <FieldSkeleton label={labels.latitude} />
            <FieldSkeleton label={labels.longitude} />
          </div>
          <p className="hint">{text.coordinatesHint}</p>
        </div>
      </section>
    </FormSkeleton>
  )
}
