/** The forms of a business, in English. */
export default {
  business: {
    logoHint: 'PNG, JPEG, WebP or SVG. It is shown as a square.',
    chooseLogo: 'Choose image',
    replaceLogo: 'Replace image',
    removeLogo: 'Remove logo',
    logoPreview: 'Preview of your logo',
    descriptionHint: 'One or two sentences about your business.',
    openWebsite: 'Open the website in a new tab',
    useOwnEmail: 'Use my sign-in address',
    moreTitle: 'For registers and roaming',
    moreHint: 'Legal name, phone, party ID, licence of the data',
    save: 'Save business',
    saved: 'Your business is saved',
    needsBusiness: 'Every site belongs to a business. Add yours first, then you can add the site.',
  },
}
