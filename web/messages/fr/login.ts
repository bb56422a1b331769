import type { Catalogue } from '../messages.ts'

/** Login, in French. */
export default {
  login: {
    heading: 'Bienvenue',
    text: 'Vous allez passer par votre fournisseur d’identité, puis revenir ici.',
    button: 'Continuer avec l’authentification unique',
    leaving: 'Vers votre fournisseur d’identité…',
    finishing: 'Connexion en cours…',
    offline: 'Vous êtes hors ligne. Il faut une connexion pour s’identifier.',
    required: 'Connectez-vous pour ouvrir cette page. Vous y arriverez aussitôt après.',
    problems: {
      cancelled: 'La connexion a été annulée. Rien n’a changé ; réessayez quand vous voulez.',
      mismatch:
        'Cette réponse ne correspond pas à une connexion commencée dans ce navigateur. Recommencez ici.',
      unreachable:
        'Le fournisseur d’identité est injoignable pour le moment. Réessayez dans un instant.',
      failed: 'La connexion n’a pas fonctionné. Réessayez.',
    },
  },
} satisfies Catalogue['login']
