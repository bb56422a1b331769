import type { Catalogue } from '../messages.ts'

/** Home, in German. */
export default {
  home: {
    headline: 'Bringen Sie Ihre Ladestationen auf die Karte',
    lead: (product) =>
      `Tragen Sie Ihre Ladestationen für Elektroautos bei ${product} ein: wo sie sind, welche Stecker es gibt, was das Laden kostet. Reisende finden sie auf der öffentlichen Karte.`,
    start: 'Anmelden und Station eintragen',
    dashboard: 'Zur Übersicht',
    stepsTitle: 'So geht es',
    steps: [
      { title: 'Anmelden', text: 'Mit der Anmeldung, die Sie schon haben. Kein neues Passwort.' },
      { title: 'Unternehmen beschreiben', text: 'Ein Name, ein Logo, ein Weg, Sie zu erreichen.' },
      {
        title: 'Standorte eintragen',
        text: 'Adresse, Stecker, Preis und Fotos. Ändern Sie sie, wenn sich etwas ändert.',
      },
    ],
    exampleBadge: 'Beispiel',
    exampleTitle: 'Ein Beispiel, wie ein Standort in Ihrer Liste aussieht',
    example: { name: 'Hafenkai', address: 'Kaistraße 12, Stralsund', cost: 'Für Gäste kostenlos' },
    questionsTitle: 'Gut zu wissen',
    questions: [
      {
        question: 'Wer kann einen Standort eintragen?',
        answer:
          'Jedes Unternehmen, das Ladestationen betreibt. Ein Konto verwaltet ein Unternehmen mit allen Standorten.',
      },
      {
        question: 'Was brauche ich dazu?',
        answer:
          'Die Adresse, Art und Leistung jedes Steckers und, wenn Sie mögen, einen Preis und ein paar Fotos vom Ort.',
      },
      {
        question: 'Kann ich es später ändern?',
        answer:
          'Jederzeit, auf jedem Gerät. Sie können einen Standort auch als vorübergehend geschlossen melden oder entfernen.',
      },
    ],
  },
} satisfies Catalogue['home']
