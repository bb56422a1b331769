import type { Catalogue } from '../messages.ts'

/** Consent to usage analytics, in German. */
export default {
  consent: {
    title: 'Nutzungsstatistik',
    question:
      'Dürfen wir zählen, welche Seiten Sie öffnen und welche Fehler auftreten, um diese App zu verbessern? Dafür wird auf diesem Gerät eine zufällige Nummer gespeichert.',
    more: 'Datenschutz',
    yes: 'Erlauben',
    no: 'Nicht erlauben',
    on: 'Sie erlauben die Nutzungsstatistik.',
    off: 'Sie erlauben die Nutzungsstatistik nicht.',
    change: 'Ändern',
  },
} satisfies Catalogue['consent']
