import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('fr')
const number = counts('fr')

/** Dashboard, in French. */
export default {
  dashboard: {
    sites: (count) =>
      plural(count, { one: `${number(count)} site`, other: `${number(count)} sites` }),
    sitesTitle: 'Sites',
    addSite: 'Ajouter un site',
    editBusiness: 'Modifier l’entreprise',
    website: (host) => `${host} (nouvel onglet)`,
    searchLabel: 'Chercher parmi vos sites',
    searchPlaceholder: 'Nom ou adresse',
    clearSearch: 'Effacer la recherche',
    filterLabel: 'Filtrer par état',
    all: 'Tous',
    shown: (some, all) => `${number(some)} sites affichés sur ${number(all)}`,
    noMatch: (query) => `Aucun site ne correspond à « ${query} »`,
    noMatchStatus: 'Aucun site n’a cet état',
    clear: 'Afficher tous les sites',
    noBusinessTitle: 'Commencez par votre entreprise',
    noBusiness: 'Qui exploite les bornes ? Vos sites viennent ensuite.',
    addBusiness: 'Ajouter votre entreprise',
    noSitesTitle: 'Ajoutez votre premier site',
    noSites:
      'Un site est un lieu avec une ou plusieurs bornes. Il vous faut son adresse et les types de prises.',
    addFirstSite: 'Ajouter un site',
    stepsTitle: 'Pour commencer',
    steps: ['Se connecter', 'Décrire votre entreprise', 'Ajouter votre premier site'],
    stepDone: 'fait',
    stepNow: 'à suivre',
    errorTitle: 'Vos sites n’ont pas pu être chargés',
    stale:
      'Ces données ne sont peut-être pas à jour : les plus récentes n’ont pas pu être chargées.',
    updating: (when) => `Données enregistrées (${when}), mise à jour…`,
    menu: (name) => `Actions pour ${name}`,
    copyCoordinates: 'Copier les coordonnées',
    copied: 'Coordonnées copiées',
    copyFailed: 'Les coordonnées n’ont pas pu être copiées',
    openInMaps: 'Ouvrir dans une carte',
    deleteTitle: (name) => `Supprimer ${name} ?`,
    deleteText: (connectors, photos) => {
      const parts = [
        ...(connectors > 0
          ? [
              plural(connectors, {
                one: 'son connecteur',
                other: `ses ${number(connectors)} connecteurs`,
              }),
            ]
          : []),
        ...(photos > 0
          ? [plural(photos, { one: 'sa photo', other: `ses ${number(photos)} photos` })]
          : []),
      ]
      return parts.length === 0
        ? 'Vous pouvez annuler pendant 8 secondes.'
        : `Cela supprime aussi ${parts.join(' et ')}. Vous pouvez annuler pendant 8 secondes.`
    },
    noConnectors: 'Pas encore de connecteur',
    logoOf: (name) => `Logo de ${name}`,
    photoOf: (name) => `Photo de ${name}`,
    count: (value) => number(value),
    needsAttention: 'À vérifier',
    attention: (value) =>
      plural(value, {
        one: `${number(value)} site à vérifier`,
        other: `${number(value)} sites à vérifier`,
      }),
    sortLabel: 'Trier par',
    sorts: {
      created: 'Les plus anciens d’abord',
      '-created': 'Les plus récents d’abord',
      name: 'Nom, de A à Z',
      '-name': 'Nom, de Z à A',
      status: 'État, problèmes d’abord',
      '-status': 'État, problèmes à la fin',
      connectors: 'Le moins de connecteurs',
      '-connectors': 'Le plus de connecteurs',
      power: 'Puissance la plus faible',
      '-power': 'Puissance la plus élevée',
      capacity: 'Le moins de véhicules à la fois',
      '-capacity': 'Le plus de véhicules à la fois',
      cost: 'Coût, croissant',
      '-cost': 'Coût, décroissant',
    },
    layoutLabel: 'Affichage',
    list: 'Liste',
    table: 'Tableau',
    export: 'Exporter en CSV',
    fileName: 'mes-sites',
    columns: {
      name: 'Site',
      address: 'Adresse',
      latitude: 'Latitude',
      longitude: 'Longitude',
      status: 'État',
      capacity: 'Véhicules',
      cost: 'Coût',
      contact_email: 'E-mail de contact',
      contact_phone: 'Téléphone de contact',
      connectors: 'Connecteurs',
      plugs: 'Prises',
      power: 'Puissance',
      powerKw: 'Puissance en kW',
      actions: 'Actions',
    },
    duplicate: 'Dupliquer',
    copyName: (name) => `${name} (copie)`,
    share: 'Partager',
    shareCopied: 'Copié : nom, adresse et lien vers la carte',
    shareFailed: 'Le partage n’a pas fonctionné',
    hints: {
      photo: 'Ajoutez une photo : elle montre à quoi ressemble le lieu',
      cost: 'Indiquez combien coûte la recharge',
      contact: 'Ajoutez un e-mail ou un téléphone pour les questions',
    },
    dismissHint: (hint) => `Ne plus proposer : ${hint}`,
    unsaved: (value) =>
      plural(value, {
        one: `${number(value)} connecteur non enregistré`,
        other: `${number(value)} connecteurs non enregistrés`,
      }),
    errorDetails: 'Détails',
    noAnswer: 'Le serveur n’a pas répondu.',
    answeredWith: (status) => `Le serveur a répondu avec le statut ${status}.`,
    showMap: 'Afficher la carte',
    hideMap: 'Masquer la carte',
    mapHint: 'Choisissez un repère pour voir son site ici',
    unnamedBusiness: 'Votre entreprise',
  },
} satisfies Catalogue['dashboard']
