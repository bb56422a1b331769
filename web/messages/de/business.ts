import type { Catalogue } from '../messages.ts'

/** The form of a business, in German. */
export default {
  business: {
    logo: 'Logo',
    logoHint: 'PNG, JPEG, WebP oder SVG. Es wird quadratisch gezeigt.',
    chooseLogo: 'Bild wählen',
    replaceLogo: 'Bild ersetzen',
    removeLogo: 'Logo entfernen',
    logoPreview: 'Vorschau Ihres Logos',
    name: 'Name des Unternehmens',
    description: 'Beschreibung',
    descriptionHint: 'Ein, zwei Sätze über Ihr Unternehmen.',
    website: 'Website',
    openWebsite: 'Website in neuem Tab öffnen',
    contactEmail: 'Kontakt-E-Mail',
    useOwnEmail: 'Meine Anmelde-Adresse verwenden',
    save: 'Unternehmen speichern',
    saved: 'Ihr Unternehmen ist gespeichert',
    needsBusiness:
      'Ein Standort gehört zu einem Unternehmen. Tragen Sie es zuerst ein; der Standort folgt gleich danach.',
  },
} satisfies Catalogue['business']
