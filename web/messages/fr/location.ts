import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const number = counts('fr')
const plural = plurals('fr')

/** Where a site is, in French. */
export default {
  location: {
    addressHint:
      'Tapez pour chercher. Les coordonnées et les liens d’applications de cartes sont aussi compris.',
    addressHintPlain:
      'Rue, numéro, code postal et ville. Les coordonnées et les liens d’applications de cartes sont aussi compris.',
    suggestions: 'Adresses',
    searching: 'Recherche…',
    found: (count) =>
      plural(count, {
        one: `${number(count)} adresse trouvée. Choisissez avec les flèches et Entrée.`,
        other: `${number(count)} adresses trouvées. Choisissez avec les flèches et Entrée.`,
      }),
    foundNone: 'Aucune adresse trouvée.',
    useTyped: 'Garder exactement ce que j’ai tapé',
    takeCoordinates: (pair) => `Utiliser les coordonnées ${pair}`,
    searchDown:
      'La recherche d’adresses est injoignable. Tapez l’adresse et indiquez la position ci-dessous.',
    searchBusy:
      'Beaucoup de recherches d’un coup. Continuez à taper ; les suggestions reviennent dans une minute.',
    linkWithoutPlace:
      'Ce lien n’indique aucun lieu lisible. Ouvrez-le et copiez plutôt les coordonnées.',
    addressPosition: 'Adresse et coordonnées remplies.',
    openMap: 'Indiquer sur une carte',
    adjustMap: 'Ajuster sur une carte',
    mapTitle: 'Indiquer la position',
    mapHelp: 'Déplacez la carte jusqu’à ce que le repère soit sur les bornes.',
    mapKeys: 'Les flèches déplacent la carte, + et − changent l’échelle.',
    mapLabel: 'Carte sous un repère fixe',
    withoutMap: 'Tapez ou collez plutôt les coordonnées.',
    usePosition: 'Utiliser cette position',
    closeMap: 'Fermer la carte',
    positionTaken: 'Position reprise de la carte.',
    far: (distance) => `À ${distance} de l’adresse choisie`,
    farHint: 'C’est normal si les bornes se trouvent vraiment là.',
    toAddress: 'Placer le repère à l’adresse',
    sea: 'Cette position est en mer',
    seaHint:
      'Vérifiez les signes moins et s’il manque un chiffre. Les petites îles ne figurent pas sur notre carte : si c’en est une, tout va bien.',
    swapped: 'Latitude et longitude semblent inversées',
    swappedHint: 'Dans l’autre sens, cette position est plus vraisemblable.',
    swap: 'Les échanger',
    near: (name, distance) => `Vous avez déjà « ${name} », à ${distance} d’ici`,
    nearHint: 'Un site regroupe tous les connecteurs d’un lieu.',
    editNear: (name) => `Modifier plutôt « ${name} »`,
  },
} satisfies Catalogue['location']
