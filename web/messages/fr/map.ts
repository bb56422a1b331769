import { counts, lists, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('fr')
const number = counts('fr')
const list = lists('fr')

/** Maps, and the map for travellers, in French. */
export default {
  map: {
    loading: 'Chargement de la carte…',
    zoomIn: 'Agrandir',
    zoomOut: 'Réduire',
    noWebGL: 'Ce navigateur ne peut pas dessiner de cartes.',
    failed: 'La carte n’a pas pu être chargée.',
    worldOnly: 'Pays et côtes seulement, sans les rues.',
    noStreets:
      'Le plan des rues est indisponible. Cette carte ne montre que les pays et les côtes.',
    sites: 'Carte de vos sites',
    sitesKeys:
      'Les flèches déplacent la carte, + et − changent l’échelle, Entrée sélectionne le site le plus proche du centre.',
    withoutSites: 'Tous vos sites sont dans la liste.',
    selected: (name) => `${name} est sélectionné.`,
  },

  find: {
    search: 'Ville ou station',
    clearSearch: 'Effacer la recherche',
    suggestions: 'Suggestions',
    suggested: (count) =>
      plural(count, {
        one: `${number(count)} suggestion`,
        other: `${number(count)} suggestions`,
      }),
    nothingFound: (text) =>
      `Rien trouvé pour «\u00a0${text}\u00a0». Essayez une autre orthographe.`,
    tooFewLetters: (count) => `Saisissez au moins ${number(count)} lettres.`,
    nearMe: 'Autour de moi',
    locating: 'Recherche de votre position…',
    denied: 'Ce navigateur ne donne pas accès à votre position. Cherchez plutôt une ville.',
    lost: 'Votre position est introuvable. Cherchez plutôt une ville.',
    filters: 'Filtres',
    plugAndPower: 'Prise et puissance',
    plug: 'Votre prise',
    power: 'Puissance',
    anyPower: 'Toutes',
    fromPower: (kw) => `dès ${kw}\u00a0kW`,
    car: 'Votre voiture',
    chooseCar: 'Compatible avec ma voiture',
    choose: 'Choisir…',
    brand: 'Marque',
    model: 'Modèle',
    carPower: (powers) => `Recharge jusqu’à ${list(powers)}.`,
    carSource: 'Données des voitures :',
    carsFailed: 'La liste des voitures n’a pas pu être chargée. Choisissez plutôt votre prise.',
    kept: 'Conservé sur cet appareil pour votre prochaine visite.',
    show: 'Voir les stations',
    openNow: 'Ouvert actuellement',
    free: 'Gratuit',
    available: 'En service',
    everybody: 'Ouvert à tous',
    removeFilters: 'Retirer les filtres',
    chargers: (count) =>
      plural(count, {
        one: `${number(count)} station de recharge`,
        other: `${number(count)} stations de recharge`,
      }),
    near: (place) => `${place} : stations de recharge à proximité`,
    list: 'Stations à proximité',
    farList: 'Aucune à proximité. Les stations les plus proches\u00a0:',
    fromYou: 'De la plus proche de vous à la plus éloignée',
    fromMiddle: 'De la plus proche du centre de la carte à la plus éloignée',
    more: 'Afficher plus',
    startTitle: 'Où voulez-vous recharger\u00a0?',
    start: 'Cherchez une ville ou une station, partagez votre position ou déplacez la carte.',
    none: 'Il n’y a pas encore de station ici.',
    noneMatches: 'Aucune station ne correspond à ces filtres.',
    failed: 'Les stations n’ont pas pu être chargées.',
    directions: 'Itinéraire',
    directionsTo: (name) => `Itinéraire vers ${name} (ouvre une application de cartes)`,
    details: 'Tous les détails',
    chosen: 'Station choisie',
    back: 'Retour à la liste',
    notLoaded: 'Cette station n’a pas pu être chargée.',
    goneTitle: 'Cette station n’est plus répertoriée.',
    gone: 'Elle a peut-être été retirée, ou le lien est erroné.',
    map: 'Carte des stations',
    keys: 'Les flèches déplacent la carte, + et − changent l’échelle, Entrée ouvre ce qui est le plus proche du centre.',
    withoutMap: 'Toutes les stations sont dans la liste.',
    missingMap: 'La carte n’a pas pu être chargée. Toutes les stations sont dans la liste.',
  },
  plugGroup: {
    TYPE_3: 'Type 3',
    SOCKET: 'Prise domestique ou industrielle',
    TRUCK: 'Camions et bus',
  },
} satisfies Catalogue['map']
