/**
 * The codes of field errors and their English sentences (record interface 1.5). `<name>` stands
 * for the parameter of that name. The web app translates by code and parameters.
 */
export const FIELD_ERRORS = {
  validation_required: 'Cannot be blank.',
  validation_min_text_constraint: 'Must be at least <min> character(s).',
  validation_max_text_constraint: 'Must be no more than <max> character(s).',
  validation_length_too_long: 'The length must be no more than <max>.',
  validation_invalid_format: 'Invalid value format.',
  validation_is_email: 'Must be a valid email address.',
  validation_invalid_url: 'Must be a valid url.',
  validation_not_a_number: 'The submitted number is not properly formatted.',
  validation_only_int_constraint: 'Decimal numbers are not allowed.',
  validation_min_number_constraint: 'Must be greater or equal than <min>.',
  validation_max_number_constraint: 'Must be less or equal than <max>.',
  validation_above_number_constraint: 'Must be greater than <above>.',
  validation_invalid_value: 'Invalid value <value>.',
  validation_too_many_values: 'Select no more than <maxSelect>.',
  validation_invalid_json: 'Must be a valid json value.',
  validation_json_size_limit: 'The maximum allowed JSON size is <maxSize> bytes.',
  validation_json_shape: 'Invalid value at "<path>": <reason>',
  validation_missing_rel_records: 'Failed to find all relation records with the provided ids.',
  validation_too_many_referring: 'Too many records refer to this one: the limit is <max>.',
  validation_too_many_distinct: 'Too many different values: the limit is <max>.',
  validation_file_size_limit:
    'Failed to upload <file> - the maximum allowed file size is <maxSize> bytes.',
  validation_invalid_mime_type: '"<file>" mime type must be one of: <types>.',
  validation_image_pixel_limit:
    'Failed to upload <file> - an image of this type may have at most <maxPixels> pixels.',
  validation_image_side_limit:
    'Failed to upload <file> - the longest side of an image of this type may be at most <maxSide> pixels.',
  validation_image_head_limit:
    'Failed to upload <file> - it has more than <maxSize> bytes of metadata before the image data.',
  validation_too_many_files: 'The maximum allowed files is <maxSelect>.',
  validation_invalid_file: 'Invalid new files: [<invalidFiles>].',
  validation_not_unique: 'Value must be unique.',
  validation_record_in_use: 'Cannot be deleted while <collection> refer to it.',
  validation_pk_change: 'The record primary key cannot be changed.',
  validation_values_mismatch: "Values don't match.",
  validation_invalid_filter: 'Invalid filter at character <position>.',
  validation_invalid_sort: 'Invalid sort <value>.',
  validation_invalid_fields: 'Invalid fields <value>.',
  validation_invalid_provider: 'Provider with name <name> is missing or is not enabled.',
  validation_length_out_of_range: 'The length must be between <min> and <max>.',
  validation_in_invalid: 'Must be a valid value.',
  validation_min_greater_equal_than_required: 'Must be no less than <threshold>.',
  validation_max_less_equal_than_required: 'Must be no greater than <threshold>.',
  validation_invalid_auth_id: 'Invalid or duplicated auth record id.',
  validation_invalid_old_password: 'Missing or invalid old password.',
  validation_invalid_token: 'Invalid or expired token.',
  validation_invalid_token_claims: 'Missing email token claim.',
  validation_token_collection_mismatch: 'The provided token is for different auth collection.',
  validation_token_email_mismatch:
    "The record email doesn't match with the requested token claims.",
} as const

export type FieldErrorCode = keyof typeof FIELD_ERRORS

/** Codes without a sentence for people: no request of the web app causes them. */
export const API_ONLY_CODES = [
  'validation_invalid_filter',
  'validation_invalid_sort',
  'validation_invalid_fields',
  'validation_invalid_provider',
  'validation_pk_change',
  'validation_invalid_auth_id',
  'validation_invalid_old_password',
  'validation_min_greater_equal_than_required',
] as const satisfies readonly FieldErrorCode[]
/** Codes with a sentence for people. */
export type ShownErrorCode = Exclude<FieldErrorCode, (typeof API_ONLY_CODES)[number]>
export type FieldErrorParams = Readonly<Record<string, string | number | readonly string[]>>

/** The error of one field, as on the wire. */
export interface FieldError {
  readonly code: FieldErrorCode
  readonly message: string
  readonly params?: FieldErrorParams
}

/**
 * A validation error of a value. The server adds the sentence; the app has its own sentences and does not load the
 * server's.
 */
export type CodedError = Omit<FieldError, 'message'>

/** The code of a failed sign-in that only an operator can fix. */
export const MISCONFIGURED = 'sign_in_misconfigured'

/** Creates a field error; its message is the sentence of the code with the parameters filled in. */
export const fieldError = (code: FieldErrorCode, params?: FieldErrorParams): FieldError => {
  const message = FIELD_ERRORS[code].replace(/<(\w+)>/g, (_, name: string) => {
    const value = params?.[name]
    return Array.isArray(value) ? value.join(', ') : String(value ?? '')
  })
  return params === undefined ? { code, message } : { code, message, params }
}

/** Adds the sentence to a validation error. */
export const withSentence = ({ code, params }: CodedError): FieldError => fieldError(code, params)

/** The body of every error response (record interface 1.4). */
export interface ErrorBody {
  readonly status: number
  readonly message: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The fallback message of a status (spec 8, record interface 1.4). */
const fallbackMessage = (status: number): string => FALLBACKS[status] ?? SOMETHING_WENT_WRONG

export const SOMETHING_WENT_WRONG = 'Something went wrong while processing your request.'
export const NOT_FOUND = "The requested resource wasn't found."

const FALLBACKS: Readonly<Record<number, string>> = {
  401: 'Missing or invalid authentication.',
  403: 'You are not allowed to perform this request.',
  404: NOT_FOUND,
  408: 'The request took too long.',
  412: 'The record was changed in the meantime.',
  413: 'Request entity too large.',
  431: 'The headers of the request are too large.',
  429: 'Too Many Requests.',
  503: 'The service is temporarily unavailable.',
}

/** An error response. Code throws it where it detects the error; one place turns it into a response. */
export class ApiError extends Error {
  readonly status: number
  readonly data: Readonly<Record<string, unknown>>
  /** Number of seconds after which the client may retry. */
  readonly retryAfterS: number | undefined

  constructor(
    status: number,
    message: string = fallbackMessage(status),
    data: Readonly<Record<string, unknown>> = {},
    options: ErrorOptions & { retryAfterS?: number } = {},
  ) {
    super(message, options)
    this.name = 'ApiError'
    this.status = status
    this.data = data
    this.retryAfterS = options.retryAfterS
  }

  get body(): ErrorBody {
    return { status: this.status, message: this.message, data: this.data }
  }
}
