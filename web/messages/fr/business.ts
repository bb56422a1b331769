import type { Catalogue } from '../messages.ts'

/** The forms of a business, in French. */
export default {
  business: {
    logoHint: 'PNG, JPEG, WebP ou SVG. Il est affiché en carré.',
    chooseLogo: 'Choisir une image',
    replaceLogo: 'Remplacer l’image',
    removeLogo: 'Retirer le logo',
    logoPreview: 'Aperçu de votre logo',
    descriptionHint: 'Une ou deux phrases sur votre entreprise.',
    openWebsite: 'Ouvrir le site web dans un nouvel onglet',
    useOwnEmail: 'Utiliser mon adresse de connexion',
    moreTitle: 'Pour les registres et l’itinérance',
    moreHint: 'Raison sociale, téléphone, identifiant, licence des données',
    save: 'Enregistrer l’entreprise',
    saved: 'Votre entreprise est enregistrée',
    needsBusiness:
      'Chaque site appartient à une entreprise. Ajoutez d’abord la vôtre, puis le site.',
  },
} satisfies Catalogue['business']
