import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('fr')
const number = counts('fr')

/** What every screen may need, in French. */
export default {
  titles: {
    home: (product) => `Ajouter une station de recharge à ${product}`,
    login: (product) => `Connexion avec ${product}`,
    dashboard: 'Tableau de bord',
    addSite: 'Ajouter un site',
    editSite: 'Modifier le site',
    addBusiness: 'Ajouter votre entreprise',
    editBusiness: 'Modifier votre entreprise',
    newPassword: 'Choisir un nouveau mot de passe',
    confirmAddress: 'Confirmer votre adresse',
    notFound: 'Page introuvable',
  },
  shell: {
    skip: 'Aller au contenu',
    website: (product) => `Site web de ${product} (nouvel onglet)`,
    back: 'Retour',
    login: 'connexion',
    logout: 'Se déconnecter',
    account: 'Session ouverte',
    scrollToTop: 'Haut de page',
    offline:
      'Vous êtes hors ligne. Ce que vous enregistrez reste sur cet appareil et sera envoyé dès votre retour en ligne.',
    newVersion: 'Une nouvelle version est prête.',
    language: 'Langue',
    shortcuts: 'Raccourcis clavier',
    notifications: 'Messages',
    loading: 'Chargement…',
    unsentTitle: 'Se déconnecter quand même ?',
    unsent: (count) =>
      plural(count, {
        one: `${number(count)} modification n’est pas encore parvenue au serveur. Si vous vous déconnectez maintenant, elle risque d’être perdue.`,
        other: `${number(count)} modifications ne sont pas encore parvenues au serveur. Si vous vous déconnectez maintenant, elles risquent d’être perdues.`,
      }),
    lostDrafts: (count) =>
      plural(count, {
        one: 'Ce que vous avez saisi dans 1 formulaire n’est conservé que sur cet appareil. La déconnexion l’efface.',
        other: `Ce que vous avez saisi dans ${number(count)} formulaires n’est conservé que sur cet appareil. La déconnexion l’efface.`,
      }),
    stay: 'Rester connecté',
    expiredTitle: 'Votre session est terminée',
    expired:
      'Votre session a expiré. Connectez-vous dans un nouvel onglet puis revenez : ce que vous avez saisi ici reste.',
    signInAgain: 'Se reconnecter',
    close: 'Fermer',
    deleted: (name) => `${name} supprimé`,
  },
  crash: {
    title: 'Un problème est survenu sur cette page',
    text: 'Le problème a été noté. Recharger la page suffit en général.',
    reload: 'Recharger',
    missing: 'Cette partie de la page n’a pas pu être chargée.',
  },
  notFound: {
    title: 'Cette page n’existe pas',
    text: 'L’adresse est peut-être mal saisie, ou la page a été déplacée.',
    dashboard: 'Aller au tableau de bord',
  },
  actions: {
    retry: 'Réessayer',
    cancel: 'Annuler',
    undo: 'Annuler',
    edit: 'Modifier',
    delete: 'Supprimer',
    dismiss: 'Fermer',
  },
  problems: {
    offline: 'Vous êtes hors ligne.',
    signedOut: 'Votre session a expiré.',
    notFound: 'Cet élément n’existe plus.',
    invalid: 'Certaines informations n’ont pas été acceptées.',
    conflict: 'Une modification a été faite ailleurs entre-temps.',
    tooMany: 'Trop de demandes à la fois. Attendez un instant.',
    tooLarge: 'Ensemble, ces fichiers sont trop volumineux.',
    unavailable: 'Le serveur est injoignable pour le moment.',
    provider: 'Le fournisseur d’identité est injoignable pour le moment.',
    cancelled: 'L’opération a été annulée.',
    mismatch: 'La connexion ne correspond pas à ce navigateur.',
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
    savePhotos: 'Certaines photos n’ont pas été enregistrées.',
    orderPhotos: 'L’ordre des photos n’a pas été enregistré.',
    removePhoto: 'La photo n’a pas été retirée.',
    deleteSite: 'Le site n’a pas pu être supprimé. Il est de nouveau dans la liste.',
    saveConnectors: 'Certains connecteurs n’ont pas été enregistrés.',
    endSessions: 'Vous êtes toujours connecté partout.',
    exportData: 'Vos données n’ont pas pu être réunies.',
    deleteAccount: 'Votre compte n’a pas été supprimé.',
  },
} satisfies Catalogue['core']
