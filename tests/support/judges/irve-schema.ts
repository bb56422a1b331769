// The rules of schema-irve-statique 2.3.1 (Etalab) as a Table Schema, written from the text of the specification:
// names, types and constraints.

interface Field {
  readonly name: string
  readonly type: string
  readonly format?: string
  readonly constraints: Readonly<Record<string, unknown>>
}

const field = (name: string, type: string, more: Partial<Field> = {}, required = false): Field => ({
  name,
  type,
  ...more,
  constraints: { required, ...more.constraints },
})
const text = (name: string, constraints: Field['constraints'] = {}): Field =>
  field(name, 'string', { constraints })
const needed = (name: string, constraints: Field['constraints'] = {}): Field =>
  field(name, 'string', { constraints }, true)
const yesOrNo = (name: string, required = true): Field => field(name, 'boolean', {}, required)

/** One or several ids of itinerance. */
const ITINERANCE = '(?:(?:^|,)(^[A-Z]{2}[A-Z0-9]{4,33}$|Non concerné))+$'

export const IRVE_SCHEMA: { readonly fields: readonly Field[]; readonly missingValues: string[] } =
  {
    missingValues: [''],
    fields: [
      text('nom_amenageur'),
      text('siren_amenageur', { pattern: '^\\d{9}$' }),
      field('contact_amenageur', 'string', { format: 'email' }),
      text('nom_operateur'),
      field('contact_operateur', 'string', { format: 'email' }, true),
      text('telephone_operateur'),
      needed('nom_enseigne'),
      needed('id_station_itinerance', { pattern: ITINERANCE }),
      text('id_station_local'),
      needed('nom_station'),
      needed('implantation_station', {
        enum: [
          'Voirie',
          'Parking public',
          'Parking privé à usage public',
          'Parking privé réservé à la clientèle',
          'Station dédiée à la recharge rapide',
        ],
      }),
      needed('adresse_station'),
      text('code_insee_commune', { pattern: '^([013-9]\\d|2[AB1-9])\\d{3}$' }),
      field('coordonneesXY', 'geopoint', { format: 'array' }, true),
      field('nbre_pdc', 'integer', { constraints: { minimum: 0 } }, true),
      needed('id_pdc_itinerance', { pattern: ITINERANCE }),
      text('id_pdc_local'),
      field('puissance_nominale', 'number', { constraints: { minimum: 0 } }, true),
      yesOrNo('prise_type_ef'),
      yesOrNo('prise_type_2'),
      yesOrNo('prise_type_combo_ccs'),
      yesOrNo('prise_type_chademo'),
      yesOrNo('prise_type_autre'),
      yesOrNo('gratuit', false),
      yesOrNo('paiement_acte'),
      yesOrNo('paiement_cb', false),
      yesOrNo('paiement_autre', false),
      text('tarification'),
      needed('condition_acces', { enum: ['Accès libre', 'Accès réservé'] }),
      yesOrNo('reservation'),
      needed('horaires', { pattern: '(.*?)((\\d{1,2}:\\d{2})-(\\d{1,2}:\\d{2})|24/7)' }),
      needed('accessibilite_pmr', {
        enum: [
          'Réservé PMR',
          'Accessible mais non réservé PMR',
          'Non accessible',
          'Accessibilité inconnue',
        ],
      }),
      needed('restriction_gabarit'),
      yesOrNo('station_deux_roues'),
      text('raccordement', { enum: ['Direct', 'Indirect'] }),
      text('num_pdl'),
      field('date_mise_en_service', 'date', { format: '%Y-%m-%d' }),
      text('observations'),
      field('date_maj', 'date', { format: '%Y-%m-%d' }, true),
      yesOrNo('cable_t2_attache', false),
    ],
  }
