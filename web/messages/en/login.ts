/** Login, in English. */
export default {
  login: {
    heading: 'Welcome',
    text: 'You will be sent to your sign-in provider and come back here.',
    button: 'Continue with single sign-on',
    leaving: 'Taking you to your sign-in provider…',
    finishing: 'Signing you in…',
    offline: 'You are offline. Signing in needs a connection.',
    required: 'Please sign in to open that page. You will get there right after.',
    problems: {
      cancelled: 'The sign-in was cancelled. Nothing has changed; try again when you like.',
      mismatch:
        'That answer does not belong to a sign-in started in this browser. Please start again here.',
      unreachable:
        'The sign-in provider cannot be reached right now. Please try again in a moment.',
      failed: 'The sign-in did not work. Please try again.',
    },
  },
}
