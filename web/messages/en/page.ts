/** Messages of the prerendered page, for when the app fails to load, in English. */
export default {
  page: {
    stuck: 'The page did not load completely.',
    reload: 'Reload the page',
    noScript: 'Signing in and managing sites need JavaScript. Turn it on in your browser, please.',
    noScriptPage: 'This page needs JavaScript. Turn it on in your browser, please.',
    plainList: 'Search the plain list of chargers',
    noScriptMap: 'The map needs JavaScript.',
  },
}
