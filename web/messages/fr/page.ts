import type { Catalogue } from '../messages.ts'

/** Messages of the prerendered page, for when the app fails to load, in French. */
export default {
  page: {
    stuck: 'La page ne s’est pas chargée entièrement.',
    reload: 'Recharger la page',
    noScript:
      'La connexion et la gestion des sites nécessitent JavaScript. Veuillez l’activer dans votre navigateur.',
    noScriptPage: 'Cette page nécessite JavaScript. Veuillez l’activer dans votre navigateur.',
    plainList: 'Chercher dans la liste simple des stations',
    noScriptMap: 'La carte nécessite JavaScript.',
  },
} satisfies Catalogue['page']
