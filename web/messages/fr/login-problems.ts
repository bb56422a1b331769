import type { Catalogue } from '../messages.ts'

/** Sign-in problems, in French. */
export default {
  loginProblems: {
    cancelled: 'La connexion a été annulée. Rien n’a changé ; réessayez quand vous voulez.',
    mismatch: 'Cette connexion n’a pas été commencée dans ce navigateur. Recommencez ici.',
    clock:
      'La date ou l’heure de cet appareil est fausse, la connexion est donc considérée comme expirée. Corrigez-les dans les réglages de l’appareil, puis reconnectez-vous.',
    storage:
      'Ce navigateur n’enregistre aucune donnée pour ce site, la connexion est donc impossible. Autorisez les cookies et les données de site dans les réglages du navigateur, puis reconnectez-vous.',
    unreachable:
      'Le fournisseur d’identité est injoignable pour le moment. Réessayez dans un instant.',
    refused: 'Votre fournisseur d’identité a refusé la connexion. Recommencez ici.',
    misconfigured:
      'La connexion n’est pas configurée correctement ici. Prévenez l’exploitant de ce service ; réessayer n’y changera rien.',
  },
} satisfies Catalogue['login-problems']
