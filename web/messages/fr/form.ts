import { counts, megabytes, millions, plurals, texts } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('fr')
const number = counts('fr')
const text = texts('fr')

/** What every form says, in French. */
export default {
  form: {
    optional: 'facultatif',
    saving: 'Enregistrement…',
    problems: (count) =>
      plural(count, {
        one: `Il y a ${count} problème`,
        other: `Il y a ${number(count)} problèmes`,
      }),
    problemsText: 'Rien n’a été envoyé. Veuillez vérifier :',
    notSaved: 'Non enregistré. Ce que vous avez saisi est toujours là.',
    partlySaved:
      'Le site est enregistré, mais certains connecteurs ne le sont pas. Ils sont signalés ci-dessous.',
    remaining: (count) =>
      plural(count, {
        one: `${number(count)} caractère restant`,
        other: `${number(count)} caractères restants`,
      }),
    tooLong: (count) =>
      plural(count, {
        one: `${number(count)} caractère de trop`,
        other: `${number(count)} caractères de trop`,
      }),
    photoUnreadable: (name) => `${name} ne peut pas être lu comme une image.`,
    photoHeic: (name) =>
      `${name} est une photo HEIC que ce navigateur ne sait pas lire. Sur le téléphone, partagez-la ou exportez-la en JPEG, puis ajoutez-la de nouveau.`,
  },
  required: {
    name: 'Saisissez un nom',
    address: 'Saisissez l’adresse',
    latitude: 'Saisissez la latitude',
    longitude: 'Saisissez la longitude',
    status: 'Choisissez un état',
    standard: 'Choisissez la prise',
    format: 'Choisissez câble ou prise',
    current_type: 'Choisissez le courant',
    kw_rating: 'Saisissez la puissance en kW',
    password: 'Saisissez un nouveau mot de passe',
    passwordConfirm: 'Saisissez à nouveau le même mot de passe',
  },
  fieldErrors: {
    validation_required: () => 'Remplissez ce champ',
    validation_min_text_constraint: (p) => `Utilisez au moins ${text(p, 'min')} caractères`,
    validation_max_text_constraint: (p) => `Utilisez au plus ${text(p, 'max')} caractères`,
    validation_length_too_long: (p) => `${text(p, 'max')} au maximum`,
    validation_invalid_format: () => 'Certains caractères ne peuvent pas être utilisés ici',
    validation_is_email: () => 'Saisissez une adresse e-mail telle que nom@example.com',
    validation_invalid_url: () => 'Saisissez une adresse web telle que example.com',
    validation_not_a_number: () => 'Saisissez un nombre',
    validation_only_int_constraint: () => 'Saisissez un nombre entier',
    validation_min_number_constraint: (p) => `Saisissez ${text(p, 'min')} ou plus`,
    validation_max_number_constraint: (p) => `Saisissez ${text(p, 'max')} ou moins`,
    validation_above_number_constraint: (p) => `Saisissez plus de ${text(p, 'above')}`,
    validation_invalid_value: () => 'Choisissez une des valeurs proposées',
    validation_missing_rel_records: () => 'L’élément auquel cela appartient n’existe plus',
    validation_file_size_limit: (p) =>
      `${text(p, 'file')} dépasse ${megabytes('fr', p, 'maxSize')} Mo`,
    validation_invalid_mime_type: (p) =>
      `${text(p, 'file')} n’est pas une image utilisable (JPEG, PNG, WebP, GIF, AVIF)`,
    validation_image_pixel_limit: (p) =>
      `${text(p, 'file')} a trop de pixels : ${millions('fr', p, 'maxPixels')} millions au plus pour une image de ce type. C’est en JPEG qu’une image peut en avoir le plus`,
    validation_image_side_limit: (p) =>
      `${text(p, 'file')} est trop longue : ${text(p, 'maxSide')} pixels au plus par côté pour une image de ce type`,
    validation_image_head_limit: (p) =>
      `${text(p, 'file')} contient plus de ${megabytes('fr', p, 'maxSize')} Mo d’informations en plus de l’image. Enregistrez-la sans elles`,
    validation_too_many_files: (p) => `Choisissez-en au plus ${text(p, 'maxSelect')}`,
    validation_invalid_file: (p) =>
      `Ces fichiers n’ont pas pu être utilisés : ${text(p, 'invalidFiles')}`,
    validation_not_unique: () => 'Cela existe déjà',
    validation_pk_change: () => 'Cela ne peut pas être modifié',
    validation_values_mismatch: () => 'Les deux valeurs diffèrent',
    validation_invalid_filter: () => 'La recherche n’a pas été comprise',
    validation_invalid_sort: () => 'L’ordre n’a pas été compris',
    validation_invalid_fields: () => 'Les champs n’ont pas été compris',
    validation_invalid_provider: () => 'Ce mode de connexion n’est pas disponible',
    validation_length_out_of_range: (p) =>
      `Utilisez de ${text(p, 'min')} à ${text(p, 'max')} caractères`,
    validation_in_invalid: () => 'Choisissez une des valeurs proposées',
    validation_min_greater_equal_than_required: (p) =>
      `Choisissez au moins ${text(p, 'threshold')}`,
    validation_max_less_equal_than_required: (p) => `Choisissez au plus ${text(p, 'threshold')}`,
    validation_invalid_auth_id: () => 'Cela existe déjà',
    validation_invalid_old_password: () => 'Ce n’est pas votre mot de passe actuel',
    validation_invalid_token: () => 'Ce lien n’est plus valable',
    validation_invalid_token_claims: () => 'Ce lien est incomplet',
    validation_token_collection_mismatch: () => 'Ce lien concerne un autre type de compte',
    validation_token_email_mismatch: () => 'Ce lien concerne une autre adresse e-mail',
  },
} satisfies Catalogue['form']
