import { ImagePlus } from 'lucide-react'

import { useMessages } from '../../messages/messages.ts'
import '../../ui/form.css'
import { FieldSkeleton, FormSkeleton } from '../shared/form-skeleton.tsx'

interface Props {
  /** The last section has a hint for a new business, and a summary of its contents for a stored one. */
  readonly isNew?: boolean
}

/** The form of a business while its values load. */
export const BusinessSkeleton = ({ isNew = false }: Props) => {
  const { business: text, fields } = useMessages()
  const labels = fields.businesses
  return (
    <FormSkeleton>
      <div className="card form-section">
        <div className="field">
          <span className="label">{labels.logo}</span>
          <p className="hint">{text.logoHint}</p>
          <div className="logo-field">
            <div className="logo-preview">
              <ImagePlus className="icon" />
            </div>
          </div>
        </div>
        <FieldSkeleton label={labels.name} />
        <FieldSkeleton
          label={labels.description}
          hint={text.descriptionHint}
          business="description"
        />
        <FieldSkeleton label={labels.website} />
        <FieldSkeleton label={labels.contact_email} />
      </div>
      <section className="card form-section disclosure">
        <h2>
          <span className="disclosure-button">
            <span className="disclosure-title">{text.moreTitle}</span>{' '}
            {isNew && <span className="disclosure-summary">{text.moreHint}</span>}
          </span>
        </h2>
      </section>
    </FormSkeleton>
  )
}

/** The form of a new business while the session is checked. */
export const NewBusinessSkeleton = () => <BusinessSkeleton isNew />
