/** Home, in English. */
export default {
  home: {
    headline: 'Put your chargers on the map',
    lead: (product: string) =>
      `List your charging stations for electric cars on ${product}: where they are, which plugs they have and what charging costs. List a site once, and travellers find it on the public map.`,
    start: 'Sign in and add a station',
    dashboard: 'Go to your dashboard',
    stepsTitle: 'How it works',
    steps: [
      { title: 'Sign in', text: 'Use the sign-in you already have. No new password.' },
      { title: 'Describe your business', text: 'A name, a logo, a way to reach you.' },
      {
        title: 'Add your sites',
        text: 'Address, plugs, price and photos. Change them whenever something changes.',
      },
    ],
    exampleBadge: 'Example',
    exampleTitle: 'An example of how a site looks in your list',
    example: {
      name: 'Harbour Lane Quay',
      address: '12 Quay Street, Portrush',
      cost: 'Free for guests',
    },
    questionsTitle: 'Good to know',
    questions: [
      {
        question: 'Who can list a site?',
        answer:
          'Any business that operates charging stations. One account manages one business with all its sites.',
      },
      {
        question: 'What do I need?',
        answer:
          'The address, and the type and power of each plug. A price and a few photos help too, but are optional.',
      },
      {
        question: 'Can I change it later?',
        answer:
          'Any time, from any device. You can also mark a site as temporarily closed or remove it.',
      },
    ],
  },
}
