/** The form of a business, in English. */
export default {
  business: {
    logo: 'Logo',
    logoHint: 'PNG, JPEG, WebP or SVG. It is shown as a square.',
    chooseLogo: 'Choose image',
    replaceLogo: 'Replace image',
    removeLogo: 'Remove logo',
    logoPreview: 'Preview of your logo',
    name: 'Business name',
    description: 'Description',
    descriptionHint: 'One or two sentences about your business.',
    website: 'Website',
    openWebsite: 'Open the website in a new tab',
    contactEmail: 'Contact email',
    useOwnEmail: 'Use my sign-in address',
    save: 'Save business',
    saved: 'Your business is saved',
    needsBusiness:
      'A site belongs to a business. Add yours first; the site form comes right after.',
  },
}
