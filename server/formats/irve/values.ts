import type { Standard } from '#domain/connector.ts'
import type { Site } from '#domain/site.ts'

import { valueTable } from '../value-table.ts'

/** The columns of schema-irve-statique 2.3.1, in order. */
export const IRVE_COLUMNS = [
  'nom_amenageur',
  'siren_amenageur',
  'contact_amenageur',
  'nom_operateur',
  'contact_operateur',
  'telephone_operateur',
  'nom_enseigne',
  'id_station_itinerance',
  'id_station_local',
  'nom_station',
  'implantation_station',
  'adresse_station',
  'code_insee_commune',
  'coordonneesXY',
  'nbre_pdc',
  'id_pdc_itinerance',
  'id_pdc_local',
  'puissance_nominale',
  'prise_type_ef',
  'prise_type_2',
  'prise_type_combo_ccs',
  'prise_type_chademo',
  'prise_type_autre',
  'gratuit',
  'paiement_acte',
  'paiement_cb',
  'paiement_autre',
  'tarification',
  'condition_acces',
  'reservation',
  'horaires',
  'accessibilite_pmr',
  'restriction_gabarit',
  'station_deux_roues',
  'raccordement',
  'num_pdl',
  'date_mise_en_service',
  'observations',
  'date_maj',
  'cable_t2_attache',
] as const
export type IrveColumn = (typeof IRVE_COLUMNS)[number]

/** The Boolean column for each plug; all other plugs set `prise_type_autre`. */
export const PLUG_COLUMNS = valueTable<Standard, IrveColumn>([
  ['DOMESTIC_E', 'prise_type_ef'],
  ['DOMESTIC_F', 'prise_type_ef'],
  ['IEC_62196_T2', 'prise_type_2'],
  ['IEC_62196_T2_COMBO', 'prise_type_combo_ccs'],
  ['CHADEMO', 'prise_type_chademo'],
])

/** `implantation_station`; the type of parking alone does not state who may use it. */
export const PLACEMENTS = valueTable<Exclude<Site['parking_type'], ''>, string>([
  ['ON_STREET', 'Voirie'],
  ['PARKING_LOT', 'Parking public'],
  ['PARKING_GARAGE', 'Parking public'],
  ['UNDERGROUND_GARAGE', 'Parking public'],
  ['PARKING_LOT', 'Parking privé à usage public'],
  ['ON_DRIVEWAY', 'Parking privé à usage public'],
  ['PARKING_LOT', 'Parking privé réservé à la clientèle'],
  ['ALONG_MOTORWAY', 'Station dédiée à la recharge rapide'],
])

/** `condition_acces`. */
export const ACCESS = valueTable<Exclude<Site['access'], ''>, string>([
  ['PUBLIC', 'Accès libre'],
  ['CUSTOMERS', 'Accès réservé'],
  ['RESIDENTS', 'Accès réservé'],
  ['EMPLOYEES', 'Accès réservé'],
  ['PRIVATE', 'Accès réservé'],
])

/** `accessibilite_pmr`. */
export const WHEELCHAIR = valueTable<Exclude<Site['wheelchair'], ''>, string>([
  ['RESERVED', 'Réservé PMR'],
  ['ACCESSIBLE', 'Accessible mais non réservé PMR'],
  ['NOT_ACCESSIBLE', 'Non accessible'],
  ['UNKNOWN', 'Accessibilité inconnue'],
])
