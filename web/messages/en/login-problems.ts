/** Sign-in problems, in English. */
export default {
  loginProblems: {
    cancelled: 'The sign-in was cancelled. Nothing has changed. Try again when you are ready.',
    mismatch: 'This sign-in was not started in this browser. Please start again here.',
    clock:
      'This device shows a wrong date or time, so the sign-in counts as expired. Correct the date and time in the settings of the device, then sign in again.',
    storage:
      'This browser stores no data for this website, so you cannot sign in. Allow cookies and website data for it in the settings of the browser, then sign in again.',
    unreachable: 'The sign-in provider cannot be reached right now. Please try again in a moment.',
    refused: 'Your sign-in provider refused the sign-in. Please start again here.',
    misconfigured:
      'Sign-in is not set up correctly. Trying again will not help: please tell the people who run this service.',
  },
}
