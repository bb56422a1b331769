import type { Catalogue } from '../messages.ts'

/** The form of a business, in French. */
export default {
  business: {
    logo: 'Logo',
    logoHint: 'PNG, JPEG, WebP ou SVG. Il est affiché en carré.',
    chooseLogo: 'Choisir une image',
    replaceLogo: 'Remplacer l’image',
    removeLogo: 'Retirer le logo',
    logoPreview: 'Aperçu de votre logo',
    name: 'Nom de l’entreprise',
    description: 'Description',
    descriptionHint: 'Une ou deux phrases sur votre entreprise.',
    website: 'Site web',
    openWebsite: 'Ouvrir le site web dans un nouvel onglet',
    contactEmail: 'E-mail de contact',
    useOwnEmail: 'Utiliser mon adresse de connexion',
    save: 'Enregistrer l’entreprise',
    saved: 'Votre entreprise est enregistrée',
    needsBusiness:
      'Un site appartient à une entreprise. Ajoutez d’abord la vôtre ; le site vient juste après.',
  },
} satisfies Catalogue['business']
