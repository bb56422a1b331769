import { choices } from '#domain/labels/en/choices.ts'

/** The labels of choices, in English. */
export default {
  choices,
  answers: { yes: 'Yes', no: 'No' },
}
