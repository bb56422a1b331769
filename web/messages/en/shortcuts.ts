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
      messages: 'To the messages, and back',
    },
    or: 'or',
    andThen: 'then',
    control: 'Ctrl',
    enter: 'Enter',
    switch: 'Single-key shortcuts',
    switchHint:
      'If letters trigger something by accident, switch them off. Remembered on this device.',
  },
}
