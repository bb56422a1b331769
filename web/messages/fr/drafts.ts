import { counts, lists, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('fr')
const list = lists('fr')
const number = counts('fr')

/** What is kept on the device, in French. */
export default {
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
    discard: 'Annuler les modifications',
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
    elsewhere: (ago) => `Modifié ailleurs, ${ago}`,
    choose: 'Ceci a été modifié ici et sur un autre appareil. Choisissez ce qu’il faut garder :',
    taken: (parts) => `Repris de là-bas : ${list(parts)}.`,
    photos: (count) =>
      plural(count, { one: `${number(count)} photo`, other: `${number(count)} photos` }),
    mine: 'Ici',
    theirs: 'Ailleurs',
    keepMine: 'Garder ma version',
    takeTheirs: 'Prendre l’autre',
    about: (action, what) => `${action} : ${what}`,
    nothing: 'vide',
    removed: 'supprimé',
  },
} satisfies Catalogue['drafts']
