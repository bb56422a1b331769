import { counts, lists, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('fr')
const number = counts('fr')
const list = lists('fr')
/** Returns an empty text for zero. */
const some: typeof plural = (many, forms) => (many === 0 ? '' : plural(many, forms))

/** The screens that emails link to, and the account card, in French. */
export default {
  account: {
    newPassword: 'Nouveau mot de passe',
    newPasswordFor: (email: string) => `Pour le compte de ${email}.`,
    passwordHint: (min: number) => `Au moins ${min} caractères. Une courte phrase convient bien.`,
    repeatPassword: 'Confirmez le mot de passe',
    savePassword: 'Enregistrer le mot de passe',
    saving: 'Enregistrement du mot de passe…',
    passwordsDiffer: 'Les deux mots de passe sont différents',
    passwordSetTitle: 'Votre nouveau mot de passe est enregistré',
    passwordSet: 'Vos sessions ont été fermées sur tous les appareils.',
    signIn: 'Aller à la connexion',
    confirming: 'Confirmation de votre adresse…',
    confirmingText:
      'Cela prend un instant. Gardez cette page ouverte jusqu’à la confirmation : chaque lien ne fonctionne qu’une fois.',
    confirmedTitle: 'Votre adresse est confirmée',
    confirmed: 'Vous pouvez fermer cette page.',
    dashboard: 'Aller au tableau de bord',
    expiredTitle: 'Ce lien a expiré',
    expired:
      'Demandez un nouvel e-mail là où vous avez demandé celui-ci, et ouvrez son lien sans tarder.',
    usedTitle: 'Ce lien n’est plus valable',
    usedForPassword:
      'Chaque lien ne fonctionne qu’une fois, et un mot de passe plus récent l’annule. Si vous ne venez pas d’en choisir un vous-même, demandez un nouvel e-mail.',
    usedForAddress:
      'Chaque lien ne fonctionne qu’une fois. Si vous l’avez déjà ouvert, votre adresse est confirmée.',
    brokenTitle: 'Ce lien est incomplet',
    broken: 'Copiez l’adresse entière depuis l’e-mail, ou ouvrez le lien dans l’e-mail lui-même.',
    failedTitle: 'Cela n’a pas fonctionné',
  },
  accountCard: {
    noEmail: 'Pas d’adresse e-mail : votre fournisseur d’identité n’en a confirmé aucune.',
    offline: 'Vous êtes hors ligne. Une connexion est nécessaire pour cela.',
    changesHint: 'Toutes les modifications de votre entreprise, de vos sites et de vos tarifs.',
    everywhere: 'Se déconnecter partout',
    everywhereHint:
      'Met fin à vos sessions dans tous les navigateurs et applications, ici compris.',
    everywhereTitle: 'Se déconnecter partout ?',
    everywhereText: 'Il faudra vous reconnecter sur chaque appareil, y compris celui-ci.',
    everywhereDone: 'Toutes vos sessions sont fermées',
    download: 'Télécharger mes données',
    downloadHint: 'Un fichier ZIP avec toutes vos données et vos photos.',
    downloadBegun: 'Le téléchargement a commencé',
    delete: 'Supprimer mon compte',
    deleteHint: 'Efface définitivement votre compte et tout ce qu’il contient.',
    deleteTitle: 'Supprimer votre compte ?',
    deleteText: (owned) => {
      const parts = [
        owned.business === '' ? 'votre entreprise' : `votre entreprise ${owned.business}`,
        some(owned.sites, {
          one: `${owned.sites} site`,
          other: `${number(owned.sites)} sites`,
        }),
        some(owned.connectors, {
          one: `${owned.connectors} connecteur`,
          other: `${number(owned.connectors)} connecteurs`,
        }),
        some(owned.photos, {
          one: `${owned.photos} photo`,
          other: `${number(owned.photos)} photos`,
        }),
      ].filter((part) => part !== '')
      return `Votre compte sera supprimé, et avec lui ${list(parts)}. Cette action est irréversible.`
    },
    deleteNothing: 'Votre compte sera supprimé. Cette action est irréversible.',
    deleteUnknown:
      'Votre compte sera supprimé, avec votre entreprise et tout ce qu’il contient. Cette action est irréversible.',
    deleteProvider: 'Votre compte auprès du fournisseur d’identité reste en place.',
    deleteWord: 'supprimer',
    deleteType: (wanted) => `Pour confirmer, saisissez :\n${wanted}`,
    deleteMistyped: 'Cela ne correspond pas au texte demandé',
    deleteForGood: 'Supprimer définitivement',
    deleted: 'Votre compte et tout ce qu’il contenait ont été supprimés.',
  },
  history: {
    of: (name) => `Historique de ${name}`,
    all: 'Tout afficher',
    none: 'Rien n’a encore été modifié.',
    notLoaded: 'L’historique n’a pas pu être chargé.',
    more: 'Afficher les modifications antérieures',
    shown: (count) =>
      plural(count, {
        one: `${number(count)} modification affichée`,
        other: `${number(count)} modifications affichées`,
      }),
    kept: (years) =>
      plural(years, {
        one: `Les modifications sont conservées ${number(years)} an.`,
        other: `Les modifications sont conservées ${number(years)} ans.`,
      }),
    administrator: 'L’administration',
    administratorFor: (who) => `L’administration (au nom de ${who})`,
    system: 'Le système',
    unknownSite: 'un site supprimé',
    unknownConnector: 'sans détails',
    image: 'image',
    business: {
      create: (who) => `${who} a ajouté l’entreprise`,
      update: (who) => `${who} a modifié les informations de l’entreprise`,
      delete: (who) => `${who} a supprimé l’entreprise`,
    },
    site: {
      create: (who, name) => `${who} a ajouté « ${name} »`,
      update: (who, name) => `${who} a modifié « ${name} »`,
      delete: (who, name) => `${who} a supprimé « ${name} »`,
    },
    connector: {
      create: (who, what, name) => `${who} a ajouté un connecteur à « ${name} » (${what})`,
      update: (who, what, name) => `${who} a modifié un connecteur de « ${name} » (${what})`,
      delete: (who, what, name) => `${who} a retiré un connecteur de « ${name} » (${what})`,
    },
    bulkUpdate: (who, what, where) => `${who} a modifié « ${what} » ${where}`,
    ofSites: (count) =>
      plural(count, { one: `sur ${number(count)} site`, other: `sur ${number(count)} sites` }),
    showSites: 'Afficher les sites',
    imported: (who, changes) => `${who} a effectué un import : ${changes}`,
    importUndone: (who, changes) => `${who} a annulé un import : ${changes}`,
    changes: (count) =>
      plural(count, {
        one: `${number(count)} modification`,
        other: `${number(count)} modifications`,
      }),
    showImport: 'Afficher l’import',
    showImportOf: (what) => `Afficher l’import : ${what}`,
    showChanges: 'Afficher les modifications',
    bulkTitle: (count) =>
      plural(count, {
        one: `Restaurer les valeurs précédentes de ${number(count)} site ?`,
        other: `Restaurer les valeurs précédentes de ${number(count)} sites ?`,
      }),
    bulkText: 'Les sites modifiés depuis restent inchangés.',
    bulkNothing: 'Aucun de ces sites n’a encore cette valeur.',
    before: 'avant :',
    after: 'après :',
    filledIn: '(d’après la position)',
    photo: (position, shows) => `Photo ${number(position)} : ${shows}`,
    formerPhoto: (shows) => `Photo supprimée : ${shows}`,
    filesStay: 'Les images supprimées ne peuvent pas être restaurées.',
    putBack: 'Restaurer',
    putBackOf: (what) => `Restaurer : ${what}`,
    done: 'Restauré.',
    failed: 'La restauration a échoué.',
    restoreTitle: (name) => `Restaurer « ${name} » ?`,
    restore:
      'Le site revient avec ses informations et ses connecteurs. Ses photos sont définitivement supprimées.',
    conflictTitle: 'Cela a encore changé depuis',
    conflict: (label, now, former) => `${label} : ${now} à présent, ${former} après restauration.`,
  },
} satisfies Catalogue['account']
