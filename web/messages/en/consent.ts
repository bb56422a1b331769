/** Consent to usage analytics, in English. */
export default {
  consent: {
    title: 'Usage statistics',
    question:
      'May we count which pages you open and which errors occur, to improve this app? For this, a random number is stored on this device.',
    more: 'Privacy',
    yes: 'Allow',
    no: 'Do not allow',
    on: 'You allow usage statistics.',
    off: 'You do not allow usage statistics.',
    change: 'Change',
  },
}
