import type { FieldError } from './error.ts'

/**
 * The rules by which an import repairs data from other systems, with an English sentence for the command line and for
 * reports. The app translates by name.
 */
export const REPAIR_RULES = {
  text_cleaned: 'Stray spaces and characters were removed.',
  placeholder_removed: 'A placeholder for an unknown value was left out.',
  number_in_words: 'A number was written with a comma, a unit or a thousands separator.',
  list_in_text: 'A list was written as text.',
  flag_in_words: 'A yes or no was written as a word.',
  date_spelling: 'A date was written differently.',
  value_spelling: 'A value from a list was spelled differently.',
  value_unknown: 'This value is not supported; it was left out.',
  coordinates_in_one: 'Latitude and longitude were in one value.',
  coordinates_with_hemisphere:
    'A coordinate was written with its hemisphere, or in degrees and minutes.',
  coordinates_east_likely:
    'The O of the longitude may mean east (Ost) and not west (ouest, oeste).',
  coordinates_of_plugs: 'The position was not valid; that of the charge points was used instead.',
  coordinates_scaled: 'The decimal point of a coordinate was missing.',
  coordinates_swapped: 'Latitude and longitude were swapped.',
  coordinates_swapped_likely: 'Latitude and longitude are probably swapped.',
  coordinates_sign: 'A coordinate is probably missing its minus sign.',
  country_code: 'The country was given as a name or another kind of code.',
  country_from_position: 'The country was not valid; the one at the position was used instead.',
  country_of_position_likely: 'The position is in a different country from the one stated.',
  postal_code_zero: 'Zeros at the beginning of the postcode were missing.',
  time_zone_spelling: 'The time zone was spelled differently.',
  time_zone_removed: 'The time zone does not exist; the position determines the right one.',
  hours_read: 'The opening hours were written in another form.',
  hours_partly_read: 'Part of the opening hours could not be read.',
  name_from_address: 'The name was missing; the address or the ID was used instead.',
  address_from_parts: 'The address was missing; the town or the position was used instead.',
  email_cleaned: 'Extra text around an email address was removed.',
  email_removed: 'The email address is not valid; it was left out.',
  phone_cleaned: 'A prefix such as “tel:” was removed from a phone number.',
  url_cleaned: 'Extra text around a web address was removed.',
  text_shortened: 'A text is too long; only its beginning fits.',
  value_removed: 'The value cannot be saved; it was left out.',
  power_in_watts: 'The power was in W instead of kW.',
  power_in_megawatts: 'The power was in kW where W was expected.',
  power_from_current: 'The power was missing; it was calculated from voltage and current.',
  power_in_voltage: 'The power is missing; it was probably entered as the voltage.',
  plug_usual: 'The type of plug is missing; this is the usual one for this power.',
  power_usual: 'The power is missing; this is the usual power for this type of plug.',
  current_type_from_standard: 'The kind of current follows from the plug.',
  current_type_from_power: 'The kind of current was missing; it follows from plug and power.',
  format_from_standard: 'Cable or socket was not given; it follows from the plug.',
  voltage_between_phases: 'The voltage was phase to phase; it was converted to phase to neutral.',
  electrical_value_removed: 'A voltage or current is impossible; it was left out.',
  evse_id_spelling: 'The ID of a charge point was spelled differently.',
  reference_shortened: 'An ID was too long; it was shortened.',
  duplicate_reference: 'Two connectors had the same ID; it was removed from the second.',
  connector_left_out: 'A connector of unknown kind or power was left out.',
  tariff_left_out: 'A price that cannot be saved was left out.',
  tariff_missing: 'The file refers to a price that it does not contain.',
} as const satisfies Readonly<Record<string, string>>

export type RuleName = keyof typeof REPAIR_RULES

/**
 * The problems for which an import cannot use a source or a part of it, with an English sentence. `<name>` stands for
 * the parameter of that name. The app translates by code and parameters.
 */
export const IMPORT_PROBLEMS = {
  // The source as a whole.
  source_empty: 'It is empty.',
  format_unknown: 'This format is not supported; save it as CSV or Excel, or a map as GeoJSON.',
  source_is_page: 'It is a web page, not a file: the address may have changed, or need a sign-in.',
  json_invalid: 'It is not valid JSON from character <position> onwards.',
  json_unexpected: 'It is not valid JSON: unexpected “<found>” at character <position>.',
  json_cut_off: 'The JSON ends too early, after <position> characters.',
  xml_invalid: 'It is not valid XML from line <line> onwards.',
  json_too_deep: 'It is nested deeper than <max> levels.',
  compressed_damaged: 'The compressed file is damaged or incomplete.',
  excel_old_or_encrypted:
    'This workbook is from Excel before 2007, or has a password; save it as .xlsx without a password.',
  archive_damaged: 'The archive is damaged or incomplete.',
  archive_encrypted: 'The archive is protected by a password; unpack it first.',
  archive_too_large: 'Unpacked, it is larger than <max>.',
  archive_too_many_files: 'The archive has more than <max> files.',
  workbook_too_costly:
    'Reading this workbook takes too much memory or time; save the sheet as CSV.',
  archive_without_data: 'The archive contains neither a table nor charging sites.',
  archive_of_several: 'The archive contains several files; unpack it and import them one by one.',
  table_empty: 'The table has headings, but no rows.',
  table_damaged: 'It is not a valid table from line <line> onwards.',
  quote_not_closed: 'A quotation mark is not closed; the last line read was <line>.',
  source_without_stations: 'It contains no charging sites.',
  source_too_large: 'It is larger than <max>.',
  // A part of the source.
  record_not_object: 'This entry cannot be read.',
  record_not_location: 'This entry is not a charging site.',
  record_too_large: 'This is larger than <max>.',
  record_too_many_values: 'This has more than <max> values.',
  sheet_not_read: 'The sheet “<sheet>” was not read; save it as a separate file.',
  row_too_wide: 'This row has more than <max> columns.',
  row_with_extra_cells:
    'This row has more cells than there are headings. If a value contains the separator, put it in quotation marks.',
  // A station.
  name_and_address_missing: 'Neither a name nor an address is given.',
  id_of_several_sites: 'The ID <value> belongs to several sites; give each of them its own.',
  position_missing: 'No position is given.',
  position_unreadable:
    'No position can be read from “<value>”; enter it in degrees, such as 48.8566.',
  position_zero: 'The position is 0, 0: a placeholder in the sea.',
  position_impossible: '<latitude>, <longitude> is not a position on Earth.',
  position_same: 'Latitude and longitude are the same number, <value>.',
  position_at_sea: 'The position is at sea, but the country is <stated>.',
  position_outside_country: 'The position is in <found>, but the country is <stated>.',
  connectors_invalid: 'None of its connectors has a known kind and power.',
  connectors_too_many: 'It has more than <max> connectors.',
  value_missing: '<field> is missing.',
  value_invalid: 'A value cannot be saved.',
  answer_needed: 'Answer the question about <field> first.',
  // An address on the web.
  url_invalid: 'This is not a web address that begins with https:// or http://.',
  url_private: 'The address points to a private network.',
  url_token_needs_https: 'A token is only sent to addresses that begin with https://.',
  url_not_found: 'The host <host> does not exist.',
  url_unreachable: '<host> is not responding.',
  url_too_slow: '<host> takes too long to respond.',
  url_refused: '<host> responded with status <status>.',
  url_unauthorized: '<host> does not accept the token.',
  url_too_many_redirects: '<host> redirects more than <max> times.',
  url_too_many_pages: 'The feed has more than <max> pages.',
  url_incomplete: '<host> reports <total> entries but did not return all of them.',
  url_insecure_certificate: 'The certificate of <host> is not valid.',
  url_without_locations: '<host> offers no OCPI locations.',
} as const satisfies Readonly<Record<string, string>>

export type ProblemCode = keyof typeof IMPORT_PROBLEMS

/** A problem for which a source, or a part of it, cannot be used. */
export interface Problem {
  readonly code: ProblemCode
  readonly params?: Readonly<Record<string, string | number>>
  /** The validation errors by field: `name` of the site, `connectors[2].kw_rating` of a connector. */
  readonly fields?: Readonly<Record<string, FieldError>>
}

/** One value that a rule changed. */
export interface Repair {
  readonly rule: RuleName
  /** The name of the field, such as `latitude` or `connectors[2].kw_rating`; for a whole connector, `connectors[2]`. */
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** A doubtful repair: made only if a person agrees. */
export type Question = Repair

/** A person's answers to the questions of a station: one for each rule. */
export type Answers = Readonly<Partial<Record<RuleName, boolean>>>
