/** Sign-in problems, in English. */
export default {
  loginProblems: {
    cancelled: 'The sign-in was cancelled. Nothing has changed; try again when you like.',
    mismatch:
      'That answer does not belong to a sign-in started in this browser. Please start again here.',
    unreachable: 'The sign-in provider cannot be reached right now. Please try again in a moment.',
    refused: 'Your sign-in provider refused the sign-in. Please start again here.',
    misconfigured:
      'Sign-in is not set up correctly here. Please tell whoever runs this service; trying again will not help.',
  },
}
