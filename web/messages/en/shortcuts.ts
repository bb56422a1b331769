/** Keyboard shortcuts, in English. */
export default {
  shortcuts: {
    title: 'Keyboard shortcuts',
    does: {
      search: 'Search your sites',
      newSite: 'Add a new site',
      dashboard: 'Go to the dashboard',
      help: 'Show these shortcuts',
      save: 'Save the open form',
      messages: 'Go to the messages or the selection, and back',
    },
    or: 'or',
    andThen: 'then',
    control: 'Ctrl',
    enter: 'Enter',
    switch: 'Single-key shortcuts',
    switchHint: 'Switch these off if you trigger them by accident. Remembered on this device.',
  },
}
