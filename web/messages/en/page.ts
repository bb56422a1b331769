/** Messages of the prerendered page, for when the app fails to load, in English. */
export default {
  page: {
    stuck: 'The page did not load completely.',
    reload: 'Reload the page',
    noScript: 'You need JavaScript to sign in and manage sites. Please turn it on in your browser.',
    noScriptPage: 'This page needs JavaScript. Please turn it on in your browser.',
    plainList: 'Search the plain list of chargers',
    noScriptMap: 'The map needs JavaScript.',
  },
}
