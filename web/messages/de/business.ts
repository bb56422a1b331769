import type { Catalogue } from '../messages.ts'

/** The forms of a business, in German. */
export default {
  business: {
    logoHint: 'PNG, JPEG, WebP oder SVG. Es wird quadratisch gezeigt.',
    chooseLogo: 'Bild wählen',
    replaceLogo: 'Bild ersetzen',
    removeLogo: 'Logo entfernen',
    logoPreview: 'Vorschau Ihres Logos',
    descriptionHint: 'Ein, zwei Sätze über Ihr Unternehmen.',
    openWebsite: 'Website in neuem Tab öffnen',
    useOwnEmail: 'Meine Anmeldeadresse verwenden',
    moreTitle: 'Für Register und Roaming',
    moreHint: 'Firma laut Register, Telefon, Betreiberkennung, Lizenz der Daten',
    save: 'Unternehmen speichern',
    saved: 'Ihr Unternehmen ist gespeichert',
    needsBusiness:
      'Jeder Standort gehört zu einem Unternehmen. Fügen Sie zuerst Ihres hinzu, dann den Standort.',
  },
} satisfies Catalogue['business']
