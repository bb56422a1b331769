import { fields, records } from '#domain/labels/fr/records.ts'
import type { PublicNeed } from '#domain/publication.ts'
import { counts, lists, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('fr')
const number = counts('fr')
const list = lists('fr')

/** The screens of owners, in French. */
export default {
  // Dashboard
  dashboard: {
    sites: (count) =>
      plural(count, { one: `${number(count)} site`, other: `${number(count)} sites` }),
    sitesTitle: 'Sites',
    addSite: 'Ajouter un site',
    editBusiness: 'Modifier l’entreprise',
    website: (host) => `${host} (nouvel onglet)`,
    searchLabel: 'Chercher parmi vos sites',
    searchPlaceholder: 'Nom, adresse ou connecteur',
    clearSearch: 'Effacer la recherche',
    filterLabel: 'Filtrer par état',
    all: 'Tous',
    shown: (some, all) => `Sites affichés : ${number(some)} sur ${number(all)}`,
    noMatch: (query) => `Aucun site ne correspond à « ${query} »`,
    noMatchFilter: 'Aucun site ne correspond à ce filtre',
    clear: 'Afficher tous les sites',
    noBusinessTitle: 'Commencez par votre entreprise',
    noBusiness: 'Qui exploite les bornes ? Vos sites viennent ensuite.',
    addBusiness: 'Ajouter votre entreprise',
    noSitesTitle: 'Ajoutez votre premier site',
    noSites:
      'Un site est un lieu avec une ou plusieurs bornes. Il vous faut son adresse et les types de prises.',
    addFirstSite: 'Ajouter un site',
    stepsTitle: 'Pour commencer',
    steps: ['Se connecter', 'Décrire votre entreprise', 'Ajouter votre premier site'],
    stepDone: 'fait',
    stepNow: 'étape suivante',
    stale:
      'Ces données ne sont peut-être pas à jour : les plus récentes n’ont pas pu être chargées.',
    slow: 'Cela prend plus de temps que d’habitude. La connexion est peut-être trop faible.',
    unfinished: 'Non terminé',
    unnamedSite: 'Nouveau site',
    draftOf: (name: string) => `Brouillon : ${name}`,
    draftDiscarded: (name: string) => `Brouillon de ${name} abandonné.`,
    saving: (name: string) => `Enregistrement de ${name}…`,
    updating: (when) => `Données enregistrées (${when}), mise à jour…`,
    menu: (name) => `Actions pour ${name}`,
    copyCoordinates: 'Copier les coordonnées',
    copied: 'Coordonnées copiées',
    copyFailed: 'Les coordonnées n’ont pas pu être copiées',
    openInMaps: 'Ouvrir dans une carte',
    deleteTitle: (name) => `Supprimer ${name} ?`,
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
        ? 'Vous pouvez le rétablir pendant 8 secondes.'
        : `Cela supprime aussi ${parts.join(' et ')}. Vous pouvez le rétablir pendant 8 secondes.`
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
      cost: 'Prix, croissant',
      '-cost': 'Prix, décroissant',
    },
    layoutLabel: 'Affichage',
    list: 'Liste',
    table: 'Tableau',
    export: 'Exporter en CSV',
    fileName: 'mes-sites',
    columns: {
      name: 'Site',
      status: 'État',
      capacity: 'Véhicules',
      cost: 'Prix',
      connectors: 'Connecteurs',
      plugs: 'Prises',
      power: 'Puissance',
      powerKw: 'Puissance en kW',
      id: 'ID',
      actions: 'Actions',
    },
    duplicate: 'Dupliquer',
    copyName: (name) => `${name} (copie)`,
    share: 'Partager',
    shareCopied: 'Copié : nom, adresse et lien vers la carte',
    shareFailed: 'Le partage n’a pas fonctionné',
    hints: {
      photo: 'Ajoutez une photo : elle montre à quoi ressemble le lieu',
      cost: 'Indiquez un prix : les voyageurs le cherchent',
      contact: 'Ajoutez un e-mail ou un téléphone pour les questions',
    },
    dismissHint: (hint) => `Ne plus proposer : ${hint}`,
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
    choose: 'Sélectionner',
    chooseSite: (name) => `Sélectionner ${name}`,
    mapHint: 'Choisissez un repère pour voir son site ici',
    savedHidden: (name) =>
      `« ${name} » ne correspond pas à la recherche ou au filtre et n’apparaît donc pas dans cette liste`,
    lackLabel: 'Filtrer selon ce qui manque',
    lackNothing: 'Il manque…',
    lacks: {
      photo: 'Sans photo',
      cost: 'Sans prix',
      connectors: 'Sans connecteur',
      contact: 'Sans contact',
    },
    similar: (query) => `Aucun site ne contient « ${query} ». Ceux-ci sont proches.`,
    statusOf: (name, status) => `État de ${name} : ${status}`,
    statusSet: (name, status) => `${name} : ${status}`,
    unnamedBusiness: 'Votre entreprise',
    reports: (count) =>
      plural(count, {
        one: `${number(count)} signalement de voyageurs`,
        other: `${number(count)} signalements de voyageurs`,
      }),
  },

  fields,
  publication: {
    public: 'Sur la carte publique',
    planned: 'Sur la carte publique, avec la mention « bientôt »',
    unpublished: 'Absent de la carte publique',
    removed: 'Fermé définitivement : absent de la carte publique',
    incomplete: (what: readonly string[]) =>
      `Pas encore sur la carte publique, il manque : ${list(what)}`,
    hidden: (reason: string) =>
      reason === '' ? 'Masqué par l’administration' : `Masqué par l’administration : ${reason}`,
    needs: { connectors: 'un connecteur', business: 'le nom de votre entreprise' } satisfies Record<
      PublicNeed,
      string
    >,
  },
  photoCategories: {
    CHARGER: 'Borne',
    ENTRANCE: 'Entrée',
    LOCATION: 'Vue d’ensemble',
    OTHER: 'Autre chose',
  },
  records,

  // Drafts
  drafts: {
    kept: (when) => `Nous avons conservé votre brouillon (${when})`,
    keptText: 'Tout est de nouveau dans le formulaire, comme vous l’aviez laissé.',
    lostFiles: (count) =>
      plural(count, {
        one: `${number(count)} image n’a pas pu être conservée. Veuillez l’ajouter de nouveau.`,
        other: `${number(count)} images n’ont pas pu être conservées. Veuillez les ajouter de nouveau.`,
      }),
    continue: 'Continuer',
    startFresh: 'Recommencer',
    savedAt: (time) => `Brouillon enregistré à ${time}`,
    notKept: 'Le brouillon n’a pas pu être conservé sur cet appareil',
    filesNotKept: 'Les images de ce brouillon n’ont pas pu être conservées sur cet appareil',
    changes: (count) =>
      plural(count, {
        one: `${number(count)} modification`,
        other: `${number(count)} modifications`,
      }),
    discard: 'Abandonner',
    discarded: 'Modifications abandonnées.',
    keptAsDraft: 'Votre brouillon est conservé. Vous le retrouverez sur le tableau de bord.',
    keepNow: 'Conserver sur cet appareil et envoyer plus tard',
    sendLater: 'Enregistrer pour envoyer plus tard',
    keptForLater: (name) =>
      `${name} est conservé sur cet appareil et sera envoyé dès qu’il y aura une connexion.`,
    laterFailedTitle: 'Impossible de conserver ceci pour l’envoyer plus tard.',
    laterFailed:
      'Cet appareil n’a plus de place ou ne l’autorise pas. Gardez cette page ouverte jusqu’au retour de la connexion.',
    waiting: 'En attente d’envoi',
    waitingText:
      'Ceci est enregistré sur cet appareil et sera envoyé dès qu’il y aura une connexion. Vous pouvez encore le modifier.',
    savedData: (when) => `Données enregistrées affichées (${when})`,
    justNow: 'à l’instant',
    changedRemotely: (ago) => `Modifié sur un autre appareil, ${ago}`,
    choose: 'Ceci a été modifié ici et sur un autre appareil. Choisissez ce qu’il faut garder :',
    merged: (parts) => `Repris de l’autre appareil : ${list(parts)}.`,
    photos: (count) =>
      plural(count, { one: `${number(count)} photo`, other: `${number(count)} photos` }),
    mine: 'Cet appareil',
    theirs: 'Autre appareil',
    keepMine: 'Garder cette version',
    takeTheirs: 'Utiliser l’autre',
    nothing: 'vide',
    removed: 'supprimé',
  },

  otherStandard: {
    DOMESTIC_A: 'Domestique type A',
    DOMESTIC_B: 'NEMA 5-15 (type B)',
    DOMESTIC_C: 'Europlug (type C)',
    DOMESTIC_D: 'Domestique type D',
    DOMESTIC_E: 'Prise française (type E)',
    DOMESTIC_F: 'Schuko (type F)',
    DOMESTIC_G: 'Prise britannique (type G)',
    DOMESTIC_H: 'Domestique type H',
    DOMESTIC_I: 'Prise australienne (type I, AS 3112)',
    DOMESTIC_J: 'Prise suisse (type J, T13)',
    DOMESTIC_K: 'Domestique type K',
    DOMESTIC_L: 'Domestique type L',
    DOMESTIC_M: 'Domestique type M',
    DOMESTIC_N: 'Domestique type N',
    DOMESTIC_O: 'Domestique type O',
    IEC_60309_2_single_16: 'CEE bleue 16 A, monophasée',
    IEC_60309_2_three_16: 'CEE rouge 16 A, triphasée',
    IEC_60309_2_three_32: 'CEE rouge 32 A',
    IEC_60309_2_three_64: 'CEE rouge 63/64 A',
    PANTOGRAPH_BOTTOM_UP: 'Pantographe de bus (vers le haut)',
    PANTOGRAPH_TOP_DOWN: 'Pantographe de bus (vers le bas)',
  },
  positionWarnings: {
    far: (distance) => `À ${distance} de l’adresse choisie`,
    farHint: 'C’est normal si les bornes se trouvent vraiment là.',
    toAddress: 'Placer le repère à l’adresse',
    sea: 'Cette position est en mer',
    seaHint:
      'Vérifiez les signes moins et s’il manque un chiffre. Les petites îles ne figurent pas sur notre carte : sur l’une d’elles, ignorez ce message.',
    swapped: 'Latitude et longitude semblent inversées',
    swappedHint: 'Dans l’autre sens, cette position est plus vraisemblable.',
    swap: 'Les échanger',
    near: (name, distance) => `Vous avez déjà « ${name} », à ${distance} d’ici`,
    nearHint: 'Un site regroupe tous les connecteurs d’un lieu.',
    editNear: (name) => `Modifier plutôt « ${name} »`,
    otherNear: (distance) => `Un site d’une autre entreprise est à ${distance} d’ici`,
    otherNearHint: (name, business) =>
      `« ${name} » (${business}). Si le vôtre en est un autre, continuez simplement.`,
    seeOther: 'Voir ce site',
  },
} satisfies Catalogue['owner']
