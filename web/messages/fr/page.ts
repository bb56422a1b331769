import type { Catalogue } from '../messages.ts'

/** What the page says itself where the app cannot come, in French. */
export default {
  page: {
    stuck: 'La page ne s’est pas chargée entièrement.',
    reload: 'Recharger la page',
    noScript:
      'La connexion et la gestion des sites nécessitent JavaScript. Veuillez l’activer dans votre navigateur.',
  },
} satisfies Catalogue['page']
