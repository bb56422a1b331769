import { counts, megabytes, millions, plurals, texts } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('de')
const number = counts('de')
const text = texts('de')

/** What every form says, in German. */
export default {
  form: {
    optional: 'optional',
    saving: 'Wird gespeichert …',
    problems: (count) =>
      plural(count, { one: 'Es gibt 1 Problem', other: `Es gibt ${number(count)} Probleme` }),
    problemsText: 'Es wurde nichts gesendet. Bitte prüfen Sie:',
    notSaved: 'Nicht gespeichert. Was Sie geschrieben haben, ist noch da.',
    partlySaved: 'Der Standort ist gespeichert, einige Anschlüsse nicht. Sie sind unten markiert.',
    remaining: (count) =>
      plural(count, { one: 'noch 1 Zeichen', other: `noch ${number(count)} Zeichen` }),
    tooLong: (count) =>
      plural(count, { one: '1 Zeichen zu viel', other: `${number(count)} Zeichen zu viel` }),
    photoUnreadable: (name) => `${name} lässt sich nicht als Bild lesen.`,
    photoHeic: (name) =>
      `${name} ist ein HEIC-Foto, das dieser Browser nicht lesen kann. Teilen oder exportieren Sie es auf dem Telefon als JPEG und fügen Sie es neu hinzu.`,
  },
  required: {
    name: 'Geben Sie einen Namen ein',
    address: 'Geben Sie die Adresse ein',
    latitude: 'Geben Sie den Breitengrad ein',
    longitude: 'Geben Sie den Längengrad ein',
    status: 'Wählen Sie einen Status',
    standard: 'Wählen Sie den Stecker',
    format: 'Wählen Sie Kabel oder Steckdose',
    current_type: 'Wählen Sie die Stromart',
    kw_rating: 'Geben Sie die Leistung in kW ein',
    password: 'Geben Sie ein neues Passwort ein',
    passwordConfirm: 'Geben Sie dasselbe Passwort noch einmal ein',
  },
  fieldErrors: {
    validation_required: () => 'Füllen Sie dieses Feld aus',
    validation_min_text_constraint: (p) => `Verwenden Sie mindestens ${text(p, 'min')} Zeichen`,
    validation_max_text_constraint: (p) => `Verwenden Sie höchstens ${text(p, 'max')} Zeichen`,
    validation_length_too_long: (p) => `Möglich sind höchstens ${text(p, 'max')}`,
    validation_invalid_format: () => 'Hier stehen Zeichen, die nicht verwendet werden können',
    validation_is_email: () => 'Geben Sie eine E-Mail-Adresse wie name@example.com ein',
    validation_invalid_url: () => 'Geben Sie eine Webadresse wie example.com ein',
    validation_not_a_number: () => 'Geben Sie eine Zahl ein',
    validation_only_int_constraint: () => 'Geben Sie eine ganze Zahl ein',
    validation_min_number_constraint: (p) => `Geben Sie mindestens ${text(p, 'min')} ein`,
    validation_max_number_constraint: (p) => `Geben Sie höchstens ${text(p, 'max')} ein`,
    validation_above_number_constraint: (p) => `Geben Sie mehr als ${text(p, 'above')} ein`,
    validation_invalid_value: () => 'Wählen Sie einen der angebotenen Werte',
    validation_missing_rel_records: () => 'Der Eintrag, zu dem dies gehört, existiert nicht mehr',
    validation_file_size_limit: (p) =>
      `${text(p, 'file')} ist größer als ${megabytes('de', p, 'maxSize')} MB`,
    validation_invalid_mime_type: (p) =>
      `${text(p, 'file')} ist kein verwendbares Bild (JPEG, PNG, WebP, GIF, AVIF)`,
    validation_image_pixel_limit: (p) =>
      `${text(p, 'file')} hat zu viele Bildpunkte: höchstens ${millions('de', p, 'maxPixels')} Millionen bei einem Bild dieser Art. Die meisten darf ein JPEG haben`,
    validation_image_side_limit: (p) =>
      `${text(p, 'file')} ist zu lang: höchstens ${text(p, 'maxSide')} Bildpunkte je Seite bei einem Bild dieser Art`,
    validation_image_head_limit: (p) =>
      `${text(p, 'file')} enthält außer dem Bild mehr als ${megabytes('de', p, 'maxSize')} MB an Angaben. Speichern Sie es ohne diese`,
    validation_too_many_files: (p) => `Wählen Sie höchstens ${text(p, 'maxSelect')}`,
    validation_invalid_file: (p) =>
      `Diese Dateien konnten nicht verwendet werden: ${text(p, 'invalidFiles')}`,
    validation_not_unique: () => 'Das gibt es schon',
    validation_pk_change: () => 'Das lässt sich nicht ändern',
    validation_values_mismatch: () => 'Die beiden Werte sind verschieden',
    validation_invalid_filter: () => 'Die Suche konnte nicht verstanden werden',
    validation_invalid_sort: () => 'Die Sortierung konnte nicht verstanden werden',
    validation_invalid_fields: () => 'Die Auswahl der Felder konnte nicht verstanden werden',
    validation_invalid_provider: () => 'Diese Art der Anmeldung gibt es nicht',
    validation_length_out_of_range: (p) =>
      `Verwenden Sie ${text(p, 'min')} bis ${text(p, 'max')} Zeichen`,
    validation_in_invalid: () => 'Wählen Sie einen der angebotenen Werte',
    validation_min_greater_equal_than_required: (p) =>
      `Wählen Sie mindestens ${text(p, 'threshold')}`,
    validation_max_less_equal_than_required: (p) => `Wählen Sie höchstens ${text(p, 'threshold')}`,
    validation_invalid_auth_id: () => 'Das gibt es schon',
    validation_invalid_old_password: () => 'Das ist nicht Ihr jetziges Passwort',
    validation_invalid_token: () => 'Dieser Link gilt nicht mehr',
    validation_invalid_token_claims: () => 'Dieser Link ist nicht vollständig',
    validation_token_collection_mismatch: () => 'Dieser Link gehört zu einer anderen Art von Konto',
    validation_token_email_mismatch: () => 'Dieser Link gehört zu einer anderen E-Mail-Adresse',
  },
} satisfies Catalogue['form']
