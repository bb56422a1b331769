import { useMessages } from '../../messages/messages.ts'
import { TextField } from '../../ui/text-field.tsx'
import { useSiteField } from './use-field.ts'

/** How to reach somebody about the site. */
export const ContactSection = () => {
  const { site: text } = useMessages()
  const field = useSiteField()
  return (
    <section className="card form-section" aria-labelledby="contact-title">
      <h2 id="contact-title">{text.contactTitle}</h2>
      <div className="pair">
        <TextField
          label={text.contactEmail}
          optional
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          {...field('contact_email')}
        />
        <TextField
          label={text.contactPhone}
          optional
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          {...field('contact_phone')}
        />
      </div>
    </section>
  )
}
