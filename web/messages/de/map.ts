import type { Catalogue } from '../messages.ts'

/** Maps, in German. */
export default {
  map: {
    loading: 'Die Karte wird geladen …',
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    noWebGL: 'Dieser Browser kann keine Karten zeichnen.',
    failed: 'Die Karte konnte nicht geladen werden.',
    worldOnly: 'Nur Länder und Küsten, keine Straßen.',
    noStreets: 'Die Straßenkarte ist nicht erreichbar. Diese Karte zeigt nur Länder und Küsten.',
    sites: 'Karte Ihrer Standorte',
    sitesKeys:
      'Pfeiltasten verschieben die Karte, + und − ändern den Maßstab, die Eingabetaste wählt den Standort, der der Mitte am nächsten liegt.',
    withoutSites: 'Alle Ihre Standorte stehen in der Liste.',
    selected: (name) => `${name} ist ausgewählt.`,
  },
} satisfies Catalogue['map']
