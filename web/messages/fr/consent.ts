import type { Catalogue } from '../messages.ts'

/** Consent to usage analytics, in French. */
export default {
  consent: {
    title: 'Statistiques d’utilisation',
    question:
      'Pouvons-nous compter les pages que vous ouvrez et les erreurs qui surviennent, afin d’améliorer cette application\u00A0? Pour cela, un numéro aléatoire est enregistré sur cet appareil.',
    more: 'Confidentialité',
    yes: 'Autoriser',
    no: 'Ne pas autoriser',
    on: 'Vous autorisez les statistiques d’utilisation.',
    off: 'Vous n’autorisez pas les statistiques d’utilisation.',
    change: 'Modifier',
  },
} satisfies Catalogue['consent']
