/** Consent to usage analytics, in English. */
export default {
  consent: {
    title: 'Usage statistics',
    question:
      'May we count which pages you open and which errors occur, so that we can improve this app? This stores a random number on your device.',
    more: 'Privacy',
    yes: 'Allow',
    no: 'Do not allow',
    on: 'You allow usage statistics.',
    off: 'You do not allow usage statistics.',
    change: 'Change',
  },
}
