import type traveller from '../en/traveller.ts'

/** French writes the first of a month as `1er janvier`. */
const first = (date: string): string => date.replace(/^1(?=\s)/, '1er')

/** The public page of a site, in French. */
export default {
  traveller: {
    pageTitle: (name, town) =>
      town === '' ? `${name} : station de recharge` : `${name} : station de recharge (${town})`,
    home: (product) => `${product}, page d’accueil`,
    languages: 'Langue',
    photos: (name) => `Photos : ${name}`,
    photo: (position, name) => `Photo ${position} : ${name}`,
    updated: (when) => `Mis à jour ${when}`,
    directions: 'Itinéraire',
    otherMap: 'Autre application de cartes',
    plugs: 'Prises',
    price: 'Prix',
    noPrice: 'L’exploitant n’a pas indiqué de prix.',
    morePrices: (count) => `Autres prix : ${count}`,
    aboutPrice: 'En savoir plus sur ce prix',
    example: (said) => `Par exemple ${said}`,
    hours: 'Horaires d’ouverture',
    closed: 'fermé',
    goodToKnow: 'Bon à savoir',
    capacity: 'Capacité',
    operator: 'Exploitant',
    confirmed: (date) => `Confirmé par l’exploitant le ${first(date)}.`,
    confirmedLongAgo: (date) =>
      `L’exploitant a confirmé ces informations pour la dernière fois le ${first(date)}, il y a plus d’un an. Certaines ont pu changer.`,
    report: 'Signaler une erreur à l’exploitant',
    share: 'Partager',
    shareCopied: 'Adresse copiée',
    address: 'Adresse de cette page',
    scan: 'Scannez ce code pour les informations à jour',
    gone: {
      title: 'Cette station de recharge n’est plus répertoriée',
      text: 'Son exploitant l’a fermée ou retirée.',
      near: 'Stations à proximité',
    },
    unknown: {
      title: 'Il n’y a pas de station de recharge ici',
      text: 'Le lien est peut-être erroné, ou la station n’est plus publique.',
    },
  },
} satisfies typeof traveller
