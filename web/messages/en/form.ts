import type { FieldErrorCode, FieldErrorParams } from '#domain/error.ts'
import { counts, megabytes, millions, plurals, texts } from '../format.ts'

const plural = plurals('en')
const number = counts('en')
const text = texts('en')

type Sentence = (params: FieldErrorParams) => string

/** What every form says, in English. */
export default {
  form: {
    optional: 'optional',
    saving: 'Saving…',
    problems: (count: number) =>
      plural(count, { one: 'There is 1 problem', other: `There are ${number(count)} problems` }),
    problemsText: 'Nothing was sent. Please look at:',
    notSaved: 'Not saved. What you typed is still here.',
    partlySaved: 'The site is saved, but some connectors are not. They are marked below.',
    remaining: (count: number) =>
      plural(count, { one: '1 character left', other: `${number(count)} characters left` }),
    tooLong: (count: number) =>
      plural(count, { one: '1 character too many', other: `${number(count)} characters too many` }),
    photoUnreadable: (name: string) => `${name} cannot be read as an image.`,
    photoHeic: (name: string) =>
      `${name} is a HEIC photo that this browser cannot read. On the phone, share or export it as JPEG, then add it again.`,
  },
  required: {
    name: 'Enter a name',
    address: 'Enter the address',
    latitude: 'Enter the latitude',
    longitude: 'Enter the longitude',
    status: 'Choose a status',
    standard: 'Choose the plug',
    format: 'Choose cable or socket',
    current_type: 'Choose the current',
    kw_rating: 'Enter the power in kW',
    password: 'Enter a new password',
    passwordConfirm: 'Enter the same password again',
  } as Readonly<Record<string, string>>,
  fieldErrors: {
    validation_required: () => 'Fill this in',
    validation_min_text_constraint: (p) => `Use at least ${text(p, 'min')} characters`,
    validation_max_text_constraint: (p) => `Use no more than ${text(p, 'max')} characters`,
    validation_length_too_long: (p) => `No more than ${text(p, 'max')} are possible`,
    validation_invalid_format: () => 'This has characters that cannot be used here',
    validation_is_email: () => 'Enter an email address such as name@example.com',
    validation_invalid_url: () => 'Enter a web address such as example.com',
    validation_not_a_number: () => 'Enter a number',
    validation_only_int_constraint: () => 'Enter a whole number',
    validation_min_number_constraint: (p) => `Enter ${text(p, 'min')} or more`,
    validation_max_number_constraint: (p) => `Enter ${text(p, 'max')} or less`,
    validation_above_number_constraint: (p) => `Enter more than ${text(p, 'above')}`,
    validation_invalid_value: () => 'Choose one of the given values',
    validation_missing_rel_records: () => 'What this belongs to no longer exists',
    validation_file_size_limit: (p) =>
      `${text(p, 'file')} is larger than ${megabytes('en', p, 'maxSize')} MB`,
    validation_invalid_mime_type: (p) =>
      `${text(p, 'file')} is not an image of a kind that can be used (JPEG, PNG, WebP, GIF, AVIF)`,
    validation_image_pixel_limit: (p) =>
      `${text(p, 'file')} has too many pixels: at most ${millions('en', p, 'maxPixels')} million in an image of its kind. A JPEG may have the most`,
    validation_image_side_limit: (p) =>
      `${text(p, 'file')} is too long: at most ${text(p, 'maxSide')} pixels a side in an image of its kind`,
    validation_image_head_limit: (p) =>
      `${text(p, 'file')} carries more than ${megabytes('en', p, 'maxSize')} MB of details beside its picture. Save it without them`,
    validation_too_many_files: (p) => `Choose no more than ${text(p, 'maxSelect')}`,
    validation_invalid_file: (p) => `These files could not be used: ${text(p, 'invalidFiles')}`,
    validation_not_unique: () => 'This exists already',
    validation_pk_change: () => 'This cannot be changed',
    validation_values_mismatch: () => 'The two values differ',
    validation_invalid_filter: () => 'The search could not be understood',
    validation_invalid_sort: () => 'The order could not be understood',
    validation_invalid_fields: () => 'The fields could not be understood',
    validation_invalid_provider: () => 'This way to sign in is not available',
    validation_length_out_of_range: (p) => `Use ${text(p, 'min')} to ${text(p, 'max')} characters`,
    validation_in_invalid: () => 'Choose one of the given values',
    validation_min_greater_equal_than_required: (p) => `Choose ${text(p, 'threshold')} or more`,
    validation_max_less_equal_than_required: (p) => `Choose ${text(p, 'threshold')} or less`,
    validation_invalid_auth_id: () => 'This exists already',
    validation_invalid_old_password: () => 'This is not your present password',
    validation_invalid_token: () => 'This link no longer works',
    validation_invalid_token_claims: () => 'This link is not complete',
    validation_token_collection_mismatch: () => 'This link is for another kind of account',
    validation_token_email_mismatch: () => 'This link is for another email address',
  } satisfies Record<FieldErrorCode, Sentence> as Readonly<Record<FieldErrorCode, Sentence>>,
}
