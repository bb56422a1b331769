import type { Catalogue } from '../messages.ts'

/** Messages of the prerendered page, for when the app fails to load, in German. */
export default {
  page: {
    stuck: 'Die Seite wurde nicht vollständig geladen.',
    reload: 'Seite neu laden',
    noScript:
      'Für die Anmeldung und die Verwaltung der Standorte wird JavaScript benötigt. Bitte schalten Sie es in Ihrem Browser ein.',
    noScriptPage: 'Diese Seite braucht JavaScript. Bitte schalten Sie es in Ihrem Browser ein.',
    plainList: 'Einfache Liste der Ladestationen durchsuchen',
    noScriptMap: 'Die Karte braucht JavaScript.',
  },
} satisfies Catalogue['page']
