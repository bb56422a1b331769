import type { Catalogue } from '../messages.ts'

/** Keyboard shortcuts, in French. */
export default {
  shortcuts: {
    title: 'Raccourcis clavier',
    does: {
      search: 'Rechercher dans vos sites',
      newSite: 'Ajouter un site',
      dashboard: 'Aller au tableau de bord',
      help: 'Afficher ces raccourcis',
      save: 'Enregistrer le formulaire ouvert',
      messages: 'Aller aux messages ou à la sélection, et revenir',
    },
    or: 'ou',
    andThen: 'puis',
    control: 'Ctrl',
    enter: 'Entrée',
    switch: 'Raccourcis à une seule touche',
    switchHint:
      'Si des lettres déclenchent une action par accident, désactivez-les. Le choix est gardé sur cet appareil.',
  },
} satisfies Catalogue['shortcuts']
