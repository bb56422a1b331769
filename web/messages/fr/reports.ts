import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('fr')
const number = counts('fr')

/** Reports of travellers: their form and the owner's inbox, in French. */
export default {
  report: {
    lead: 'Quelque chose ne va pas à cette station de recharge ? Dites-le à l’exploitant.',
    reason: 'Qu’est-ce qui ne va pas ?',
    reasons: {
      NOT_WORKING: 'La recharge ne fonctionne pas',
      NO_ACCESS: 'On ne peut pas y accéder',
      STATUS_WRONG: 'L’état (ouvert, fermé) est faux',
      PLACE_WRONG: 'La station est ailleurs',
      PLUG_WRONG: 'La prise ou la puissance est fausse',
      PRICE_WRONG: 'Le prix est faux',
      HOURS_WRONG: 'Les horaires sont faux',
    },
    chooseReason: 'Choisissez ce qui ne va pas',
    message: 'Avec vos propres mots',
    messageHint: 'Quelle borne, quelle prise, depuis quand ?',
    email: 'Votre adresse e-mail',
    emailHint:
      'Uniquement pour la réponse de l’exploitant. Il ne la voit pas, et nous la supprimons une fois la réponse envoyée.',
    send: 'Envoyer le signalement',
    sending: 'Envoi en cours…',
    notSent: 'Rien n’a été envoyé',
    kept: 'Ce que vous avez écrit reste ici.',
    tooMany: 'Il y a eu beaucoup de signalements récemment. Veuillez réessayer dans une heure.',
    sentTitle: 'Merci',
    sent: 'Nous avons transmis votre signalement à l’exploitant.',
    sentWithEmail:
      'Nous avons transmis votre signalement à l’exploitant. Sa réponse éventuelle arrivera par e-mail.',
    back: 'Retour à la station',
    another: 'Signaler autre chose',
    goneTitle: 'Cette station n’est pas sur la carte',
    gone: 'Elle a peut-être été retirée, ou le lien est erroné.',
  },

  reports: {
    waiting: (count) =>
      plural(count, {
        one: `${number(count)} signalement vous attend`,
        other: `${number(count)} signalements vous attendent`,
      }),
    nothing: 'Rien ne vous attend',
    none: 'Quand un voyageur signalera un problème sur l’un de vos sites, vous le verrez ici.',
    at: (name) => `À propos de ${name}\u00A0:`,
    all: 'Tous les sites',
    wantsAnswer: 'Souhaite une réponse par e-mail',
    answer: 'Votre réponse',
    answerHint:
      'Elle est envoyée par e-mail. Si la personne répond, son message arrive à l’adresse de contact du site.',
    writeAnswer: 'Écrivez une réponse, ou marquez le signalement comme réglé',
    status: 'État du site',
    keepStatus: (status) => `Ne pas changer : ${status}`,
    send: 'Envoyer la réponse',
    resolve: 'Marquer comme réglé',
    sendAndResolve: 'Envoyer et marquer comme réglé',
    answered: 'Vous avez répondu. L’e-mail est en route.',
    resolved: 'Marqué comme réglé',
    done: 'Terminés',
    doneCount: (count) =>
      plural(count, {
        one: `${number(count)} signalement traité`,
        other: `${number(count)} signalements traités`,
      }),
    yourAnswer: 'Vous avez répondu :',
    states: { OPEN: 'À traiter', ANSWERED: 'Répondu', RESOLVED: 'Réglé' },
    reopen: 'Rouvrir',
    kept: (days) => `Ils sont supprimés au bout de ${number(days)} jours.`,
  },
} satisfies Catalogue['reports']
