import type traveller from '../en/traveller.ts'

/** The public page of a site, in German. */
export default {
  traveller: {
    pageTitle: (name, town) =>
      town === '' ? `${name}: Ladestation für E-Autos` : `${name}: Ladestation in ${town}`,
    home: (product) => `${product}, Startseite`,
    languages: 'Sprache',
    photos: (name) => `Fotos von ${name}`,
    photo: (position, name) => `Foto ${position} von ${name}`,
    updated: (when) => `Aktualisiert ${when}`,
    directions: 'Route',
    otherMap: 'Andere Karten-App',
    plugs: 'Stecker',
    price: 'Preis',
    noPrice: 'Der Betreiber hat keinen Preis angegeben.',
    morePrices: (count) => `Weitere Preise: ${count}`,
    aboutPrice: 'Mehr zu diesem Preis',
    example: (said) => `Beispiel: ${said}`,
    hours: 'Öffnungszeiten',
    closed: 'geschlossen',
    goodToKnow: 'Gut zu wissen',
    capacity: 'Platz für',
    operator: 'Betreiber',
    confirmed: (date) => `Vom Betreiber bestätigt am ${date}.`,
    confirmedLongAgo: (date) =>
      `Der Betreiber hat diese Angaben zuletzt am ${date} bestätigt, vor mehr als einem Jahr. Manches kann sich geändert haben.`,
    report: 'Dem Betreiber einen Fehler melden',
    share: 'Teilen',
    shareCopied: 'Adresse kopiert',
    address: 'Adresse dieser Seite',
    scan: 'Code scannen für aktuelle Angaben',
    gone: {
      title: 'Diese Ladestation ist nicht mehr verzeichnet',
      text: 'Der Betreiber hat sie geschlossen oder entfernt.',
      near: 'Ladestationen in der Nähe',
    },
    unknown: {
      title: 'Hier gibt es keine Ladestation',
      text: 'Vielleicht ist der Link falsch, oder die Station ist nicht mehr öffentlich.',
    },
  },
} satisfies typeof traveller
