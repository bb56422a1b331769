import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('fr')
const number = counts('fr')

/** The guest screens and the terms shared by all screens, in French. */
export default {
  // Core
  titles: {
    home: (product) => `Ajouter une station de recharge à ${product}`,
    login: (product) => `Connexion à ${product}`,
    dashboard: 'Tableau de bord',
    map: 'Trouver une station',
    addSite: 'Ajouter un site',
    editSite: 'Modifier le site',
    addBusiness: 'Ajouter votre entreprise',
    editBusiness: 'Modifier votre entreprise',
    newPassword: 'Choisir un nouveau mot de passe',
    confirmAddress: 'Confirmer votre adresse',
    account: 'Votre compte',
    prices: 'Tarifs',
    addPrice: 'Ajouter un tarif',
    editPrice: 'Modifier le tarif',
    changes: 'Historique',
    report: 'Signaler un problème',
    reports: 'Signalements',
    open: 'Données ouvertes',
    import: 'Importer des sites',
    notFound: 'Page introuvable',
  },
  shell: {
    skip: 'Aller au contenu',
    website: (product) => `Site web de ${product} (nouvel onglet)`,
    back: 'Retour',
    login: 'Se connecter',
    logout: 'Se déconnecter',
    account: 'Session ouverte',
    scrollToTop: 'Haut de page',
    offline: 'Vous êtes hors ligne.',
    keptOffline:
      'Ce que vous enregistrez reste sur cet appareil et sera envoyé dès votre retour en ligne.',
    newVersion: 'Une nouvelle version est prête.',
    language: 'Langue',
    shortcuts: 'Raccourcis clavier',
    notifications: 'Messages',
    loading: 'Chargement…',
    unsentTitle: 'Se déconnecter quand même ?',
    unsent: (count) =>
      plural(count, {
        one: `${number(count)} modification n’est pas encore parvenue au serveur. La déconnexion l’efface de cet appareil.`,
        other: `${number(count)} modifications ne sont pas encore parvenues au serveur. La déconnexion les efface de cet appareil.`,
      }),
    lostDrafts: (count) =>
      plural(count, {
        one: 'Ce que vous avez saisi dans 1 formulaire n’est conservé que sur cet appareil. La déconnexion l’efface.',
        other: `Ce que vous avez saisi dans ${number(count)} formulaires n’est conservé que sur cet appareil. La déconnexion l’efface.`,
      }),
    stay: 'Garder ma session',
    expiredTitle: 'Votre session est terminée',
    expired:
      'Reconnectez-vous dans un nouvel onglet, puis revenez ici. Votre saisie est conservée.',
    signInAgain: 'Se reconnecter',
    close: 'Fermer',
    deleted: (name) => `${name} supprimé`,
  },
  links: {
    help: 'Aide',
    privacy: 'Confidentialité',
    terms: 'Conditions d’utilisation',
    imprint: 'Mentions légales',
  },
  crash: {
    title: 'Un problème est survenu sur cette page',
    text: 'Recharger la page suffit en général.',
    reload: 'Recharger',
    dashboard: 'Retour au tableau de bord',
    missing: 'Cette partie de la page n’a pas pu être chargée.',
    offline:
      'Cette page n’est pas encore chargée. Elle s’ouvrira dès que la connexion sera rétablie.',
  },
  notFound: {
    title: 'Cette page n’existe pas',
    text: 'L’adresse est peut-être mal saisie, ou la page a été déplacée.',
    dashboard: 'Aller au tableau de bord',
  },
  actions: {
    retry: 'Réessayer',
    cancel: 'Annuler',
    undo: 'Rétablir',
    edit: 'Modifier',
    delete: 'Supprimer',
    dismiss: 'Fermer',
  },
  about: (label, what) => `${label} : ${what}`,
  problems: {
    offline: 'Il n’y a pas de connexion au serveur.',
    signedOut: 'Votre session est terminée.',
    notFound: 'Cet élément a été supprimé.',
    timeout: 'Le serveur ne répond pas.',
    invalid: 'Certaines informations n’ont pas été acceptées.',
    conflict: 'Une modification a été faite entre-temps sur un autre appareil.',
    tooMany: 'Trop de demandes à la fois. Attendez un instant.',
    tooLarge: 'Ensemble, ces fichiers sont trop volumineux.',
    unavailable: 'Le serveur est injoignable pour le moment.',
    provider: 'Le fournisseur d’identité est injoignable pour le moment.',
    cancelled: 'L’opération a été annulée.',
    mismatch: 'Cette connexion n’a pas été commencée dans ce navigateur.',
    clock: 'La date ou l’heure de cet appareil est fausse.',
    storage: 'Ce navigateur n’enregistre aucune donnée pour ce site.',
    unexpected: 'Un problème est survenu pendant le traitement de votre demande.',
  },
  failed: {
    signIn: 'La connexion a échoué.',
    load: 'Vos sites n’ont pas pu être chargés.',
    updateUser: 'Vos informations n’ont pas pu être modifiées.',
    createBusiness: 'Votre entreprise n’a pas été enregistrée.',
    updateBusiness: 'Votre entreprise n’a pas été enregistrée.',
    createSite: 'Le site n’a pas été enregistré.',
    updateSite: 'Le site n’a pas été enregistré.',
    updateSites: 'Les sites n’ont pas été modifiés.',
    savePhotos: 'Certaines photos n’ont pas été enregistrées.',
    orderPhotos: 'L’ordre des photos n’a pas été enregistré.',
    removePhoto: 'La photo n’a pas été retirée.',
    deleteSite: 'Le site n’a pas pu être supprimé. Il est de nouveau dans la liste.',
    saveConnectors: 'Certains connecteurs n’ont pas été enregistrés.',
    createRecord: 'L’entrée n’a pas été enregistrée.',
    updateRecord: 'L’entrée n’a pas été enregistrée.',
    removeRecord: 'L’entrée n’a pas pu être supprimée.',
    endSessions: 'Vos sessions sont toujours ouvertes partout.',
    exportData: 'Vos données n’ont pas pu être réunies.',
    deleteAccount: 'Votre compte n’a pas été supprimé.',
  },

  // Terms
  facts: {
    connectors: (count) =>
      plural(count, { one: `${number(count)} connecteur`, other: `${number(count)} connecteurs` }),
    power: (kw) => `${kw} kW`,
    capacity: (count) =>
      plural(count, {
        one: `${number(count)} véhicule à la fois`,
        other: `${number(count)} véhicules à la fois`,
      }),
    times: (count) => `${count} ×`,
  },
  status: {
    AVAILABLE: 'Ouvert',
    PLANNED: 'Bientôt',
    INOPERATIVE: 'Fermé temporairement',
    OUTOFORDER: 'Hors service',
    REMOVED: 'Fermé définitivement',
    UNKNOWN: 'Inconnu',
    BLOCKED: 'Bloqué',
    CHARGING: 'Occupé',
    RESERVED: 'Réservé',
  },
  formatShort: { SOCKET: 'prise', CABLE: 'câble' },
  currentShort: {
    AC_1_PHASE: 'AC monophasé',
    AC_2_PHASE: 'AC biphasé',
    AC_2_PHASE_SPLIT: 'AC phase divisée',
    AC_3_PHASE: 'AC triphasé',
    DC: 'DC',
  },
  standard: {
    IEC_62196_T1: 'Type 1 (J1772)',
    IEC_62196_T2: 'Type 2 (Mennekes)',
    IEC_62196_T3A: 'Type 3A',
    IEC_62196_T3C: 'Type 3C (Scame)',
  },

  // Login
  login: {
    heading: 'Bienvenue',
    text: 'Vous allez passer par votre fournisseur d’identité, puis revenir ici.',
    button: (provider: string) =>
      provider === '' ? 'Continuer avec l’authentification unique' : `Continuer avec ${provider}`,
    leaving: 'Vers votre fournisseur d’identité…',
    finishing: 'Connexion en cours…',
    offline: 'Vous êtes hors ligne. Il faut une connexion pour s’identifier.',
    required: 'Connectez-vous pour ouvrir cette page. Vous y arriverez aussitôt après.',
    againTitle: 'Votre session est de nouveau ouverte',
    again: 'Revenez à l’autre onglet. Votre saisie y est conservée. Vous pouvez fermer celui-ci.',
    failed: 'La connexion a échoué. Réessayez.',
  },
} satisfies Catalogue['core']
