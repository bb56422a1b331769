import type { Catalogue } from '../messages.ts'

/** Keyboard shortcuts, in German. */
export default {
  shortcuts: {
    title: 'Tastenkürzel',
    does: {
      search: 'Standorte durchsuchen',
      newSite: 'Neuen Standort hinzufügen',
      dashboard: 'Zur Übersicht',
      help: 'Diese Tastenkürzel zeigen',
      save: 'Das offene Formular speichern',
      messages: 'Zu den Hinweisen oder zur Auswahl und zurück',
    },
    or: 'oder',
    andThen: 'dann',
    control: 'Strg',
    enter: 'Eingabe',
    switch: 'Kürzel aus einzelnen Tasten',
    switchHint:
      'Wenn Buchstaben versehentlich etwas auslösen, schalten Sie diese Kürzel aus. Gilt für dieses Gerät.',
  },
} satisfies Catalogue['shortcuts']
