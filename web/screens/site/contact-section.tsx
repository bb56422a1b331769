import { sites } from '#domain/site.ts'
import { useMessages } from '../../messages/messages.ts'
import { FieldControl } from '../shared/field-control.tsx'
import { useSiteField } from './use-field.ts'

/** The contact details of the site. */
export const ContactSection = () => {
  const { site: text } = useMessages()
  const field = useSiteField()
  const { contact_email, contact_phone } = sites.fields
  return (
    <section className="card form-section" aria-labelledby="contact-title">
      <h2 id="contact-title">{text.contactTitle}</h2>
      <p className="muted">{text.contactHint}</p>
      <div className="pair">
        <FieldControl declared={contact_email} {...field('contact_email')} />
        <FieldControl
          declared={contact_phone}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          {...field('contact_phone')}
        />
      </div>
    </section>
  )
}
