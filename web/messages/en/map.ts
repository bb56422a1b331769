/** Maps, in English. */
export default {
  map: {
    loading: 'Loading the map…',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    noWebGL: 'This browser cannot draw maps.',
    failed: 'The map could not be loaded.',
    worldOnly: 'Countries and coasts only, no streets.',
    noStreets: 'The street map cannot be reached. This one has countries and coasts only.',
    sites: 'Map of your sites',
    sitesKeys:
      'Arrow keys move the map, + and − zoom, Enter selects the site nearest to the middle.',
    withoutSites: 'All your sites are in the list.',
    selected: (name: string) => `${name} is selected.`,
  },
}
