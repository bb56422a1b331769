import { useSettings } from '../../settings.ts'
import { useMessages } from '../../messages/messages.ts'
import '../../ui/form.css'
import { FieldSkeleton, FormSkeleton } from '../shared/form-skeleton.tsx'

interface Props {
  /** True for a stored site, whose publication is shown above the form. */
  readonly isStored?: boolean
}

/** The top of a site's form while its values load. */
export const SiteSkeleton = ({ isStored = false }: Props) => {
  const { site: text, fields, location } = useMessages()
  const labels = fields.sites
  const searchable = useSettings()['address-search'] === 'on'
  return (
    <FormSkeleton>
      {isStored && <span className="skeleton site-publication" />}
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

/** The top of a stored site's form while the session is checked. */
export const StoredSiteSkeleton = () => <SiteSkeleton isStored />
