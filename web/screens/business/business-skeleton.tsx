import { ImagePlus } from 'lucide-react'

import { useMessages } from '../../messages/messages.ts'
import '../../ui/form.css'
import { FieldSkeleton, FormSkeleton } from '../shared/form-skeleton.tsx'

/** The form of a business while its values load. */
export const BusinessSkeleton = () => {
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
              <ImagePlus className="icon" aria-hidden="true" />
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
    </FormSkeleton>
  )
}
