import type { Catalogue } from '../messages.ts'

/** Maps, in French. */
export default {
  map: {
    loading: 'Chargement de la carte…',
    zoomIn: 'Agrandir',
    zoomOut: 'Réduire',
    noWebGL: 'Ce navigateur ne peut pas dessiner de cartes.',
    failed: 'La carte n’a pas pu être chargée.',
    worldOnly: 'Pays et côtes seulement, sans les rues.',
    noStreets: 'Le plan des rues est injoignable. Cette carte ne montre que les pays et les côtes.',
    sites: 'Carte de vos sites',
    sitesKeys:
      'Les flèches déplacent la carte, + et − changent l’échelle, Entrée sélectionne le site le plus proche du centre.',
    withoutSites: 'Tous vos sites sont dans la liste.',
    selected: (name) => `${name} est sélectionné.`,
  },
} satisfies Catalogue['map']
