import type { Catalogue } from '../messages.ts'

/** Home, in French. */
export default {
  home: {
    headline: 'Mettez vos bornes sur la carte',
    lead: (product) =>
      `Inscrivez vos bornes de recharge pour voitures électriques sur ${product} : où elles sont, quelles prises elles ont, combien coûte la recharge. Les voyageurs les trouvent sur la carte publique.`,
    start: 'Se connecter et ajouter une station',
    dashboard: 'Aller à votre tableau de bord',
    stepsTitle: 'Comment ça marche',
    steps: [
      {
        title: 'Connectez-vous',
        text: 'Avec l’identifiant que vous avez déjà. Aucun nouveau mot de passe.',
      },
      { title: 'Décrivez votre entreprise', text: 'Un nom, un logo, un moyen de vous joindre.' },
      {
        title: 'Ajoutez vos sites',
        text: 'Adresse, prises, prix et photos. Modifiez-les dès que quelque chose change.',
      },
    ],
    exampleBadge: 'Exemple',
    exampleTitle: 'Un exemple de site dans votre liste',
    example: {
      name: 'Quai du Port',
      address: '12 quai du Port, La Rochelle',
      cost: 'Gratuit pour les clients',
    },
    questionsTitle: 'Bon à savoir',
    questions: [
      {
        question: 'Qui peut ajouter un site ?',
        answer:
          'Toute entreprise qui exploite des bornes de recharge. Un compte gère une entreprise et tous ses sites.',
      },
      {
        question: 'De quoi ai-je besoin ?',
        answer:
          'De l’adresse, du type et de la puissance de chaque prise et, si vous le souhaitez, d’un prix et de quelques photos.',
      },
      {
        question: 'Puis-je modifier plus tard ?',
        answer:
          'À tout moment, sur tout appareil. Vous pouvez aussi signaler une fermeture temporaire ou retirer un site.',
      },
    ],
  },
} satisfies Catalogue['home']
