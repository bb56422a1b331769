import { counts, megabytes, millions, plurals, texts } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('es')
const number = counts('es')
const text = texts('es')

/** What every form says, in Spanish. */
export default {
  form: {
    optional: 'opcional',
    saving: 'Guardando…',
    problems: (count) =>
      plural(count, { one: 'Hay 1 problema', other: `Hay ${number(count)} problemas` }),
    problemsText: 'No se ha enviado nada. Revise lo siguiente:',
    notSaved: 'No se guardó. Lo que escribió sigue aquí.',
    partlySaved:
      'El emplazamiento está guardado, pero algunos conectores no. Están marcados abajo.',
    remaining: (count) =>
      plural(count, { one: 'queda 1 carácter', other: `quedan ${number(count)} caracteres` }),
    tooLong: (count) =>
      plural(count, { one: 'sobra 1 carácter', other: `sobran ${number(count)} caracteres` }),
    photoUnreadable: (name) => `${name} no se puede leer como imagen.`,
    photoHeic: (name) =>
      `${name} es una foto HEIC que este navegador no puede leer. En el teléfono, compártala o expórtela como JPEG y añádala de nuevo.`,
  },
  required: {
    name: 'Escriba un nombre',
    address: 'Escriba la dirección',
    latitude: 'Escriba la latitud',
    longitude: 'Escriba la longitud',
    status: 'Elija un estado',
    standard: 'Elija el tipo de conector',
    format: 'Elija cable o toma',
    current_type: 'Elija la corriente',
    kw_rating: 'Escriba la potencia en kW',
    password: 'Escriba una contraseña nueva',
    passwordConfirm: 'Escriba otra vez la misma contraseña',
  },
  fieldErrors: {
    validation_required: () => 'Rellene este campo',
    validation_min_text_constraint: (p) => `Use al menos ${text(p, 'min')} caracteres`,
    validation_max_text_constraint: (p) => `Use como máximo ${text(p, 'max')} caracteres`,
    validation_length_too_long: (p) => `Se permiten como máximo ${text(p, 'max')}`,
    validation_invalid_format: () => 'Hay caracteres que no se pueden usar aquí',
    validation_is_email: () => 'Escriba un correo como nombre@example.com',
    validation_invalid_url: () => 'Escriba una dirección web como example.com',
    validation_not_a_number: () => 'Escriba un número',
    validation_only_int_constraint: () => 'Escriba un número entero',
    validation_min_number_constraint: (p) => `Escriba ${text(p, 'min')} o más`,
    validation_max_number_constraint: (p) => `Escriba ${text(p, 'max')} o menos`,
    validation_above_number_constraint: (p) => `Escriba más de ${text(p, 'above')}`,
    validation_invalid_value: () => 'Elija uno de los valores dados',
    validation_missing_rel_records: () => 'El elemento al que pertenece ya no existe',
    validation_file_size_limit: (p) =>
      `${text(p, 'file')} supera ${megabytes('es', p, 'maxSize')} MB`,
    validation_invalid_mime_type: (p) =>
      `${text(p, 'file')} no es una imagen utilizable (JPEG, PNG, WebP, GIF, AVIF)`,
    validation_image_pixel_limit: (p) =>
      `${text(p, 'file')} tiene demasiados píxeles: ${millions('es', p, 'maxPixels')} millones como máximo en una imagen de este tipo. En JPEG puede tener más`,
    validation_image_side_limit: (p) =>
      `${text(p, 'file')} es demasiado larga: ${text(p, 'maxSide')} píxeles por lado como máximo en una imagen de este tipo`,
    validation_image_head_limit: (p) =>
      `${text(p, 'file')} contiene más de ${megabytes('es', p, 'maxSize')} MB de datos además de la imagen. Guárdela sin ellos`,
    validation_too_many_files: (p) => `Elija como máximo ${text(p, 'maxSelect')}`,
    validation_invalid_file: (p) =>
      `Estos archivos no se pudieron usar: ${text(p, 'invalidFiles')}`,
    validation_not_unique: () => 'Esto ya existe',
    validation_pk_change: () => 'Esto no se puede cambiar',
    validation_values_mismatch: () => 'Los dos valores son distintos',
    validation_invalid_filter: () => 'No se entendió la búsqueda',
    validation_invalid_sort: () => 'No se entendió el orden',
    validation_invalid_fields: () => 'No se entendieron los campos',
    validation_invalid_provider: () => 'Esta forma de acceso no está disponible',
    validation_length_out_of_range: (p) =>
      `Use de ${text(p, 'min')} a ${text(p, 'max')} caracteres`,
    validation_in_invalid: () => 'Elija uno de los valores ofrecidos',
    validation_min_greater_equal_than_required: (p) => `Elija ${text(p, 'threshold')} o más`,
    validation_max_less_equal_than_required: (p) => `Elija ${text(p, 'threshold')} o menos`,
    validation_invalid_auth_id: () => 'Esto ya existe',
    validation_invalid_old_password: () => 'Esta no es su contraseña actual',
    validation_invalid_token: () => 'Este enlace ya no es válido',
    validation_invalid_token_claims: () => 'Este enlace está incompleto',
    validation_token_collection_mismatch: () => 'Este enlace es de otro tipo de cuenta',
    validation_token_email_mismatch: () => 'Este enlace es de otra dirección de correo',
  },
} satisfies Catalogue['form']
