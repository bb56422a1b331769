import type { PublicConnector, PublicSite } from '#domain/public-site.ts'
import { isFree } from '#domain/tariff-element.ts'

import { irveHours } from '../hours.ts'
import {
  COMMON_FIELDS,
  reportExceptionLoss,
  chargePointsOf,
  tariffOf,
  type ReportLoss,
  type Output,
} from '../output.ts'
import { csvRecord } from '../table/write.ts'
import {
  ACCESS,
  IRVE_COLUMNS,
  PLACEMENTS,
  PLUG_COLUMNS,
  WHEELCHAIR,
  type IrveColumn,
} from './values.ts'

type Row = Readonly<Partial<Record<IrveColumn, string>>>

/** The static data of French charge points (schema-irve-statique 2.3.1), one row per charge point. */
export const IRVE: Output = {
  supports: {
    sites: [
      ...COMMON_FIELDS,
      'cost',
      'access',
      'payment',
      'parking_type',
      'max_height_m',
      'wheelchair',
      'two_wheelers',
      'contact_email',
      'contact_phone',
      'reference',
      'confirmed',
    ],
    connectors: ['standard', 'kw_rating', 'evse', 'evse_id', 'reference'],
    tariffs: [],
    businesses: ['name', 'legal_name', 'phone'],
  },
  begin: () => csvRecord(IRVE_COLUMNS),
  site: (site, { reportLoss }) => {
    const row = stationRow(site)
    reportStationLosses(site, reportLoss)
    return chargePointsOf(site)
      .map((connectors) => ({ ...row, ...chargePointRow(connectors, reportLoss) }))
      .map((cells: Row) => csvRecord(IRVE_COLUMNS.map((column) => cells[column] ?? '')))
      .join('')
  },
  separator: '',
  end: '',
}

/** The value for a station or a charge point without a roaming ID. */
const NO_ID = 'Non concerné'
const ID = /^[A-Z]{2}[A-Z0-9]{4,33}$/

/** A roaming ID without asterisks, or `NO_ID`. */
const idOf = (text: string): string => {
  const plain = text.replaceAll('*', '').toUpperCase()
  return ID.test(plain) ? plain : NO_ID
}

/** A telephone number as a URI, as in the register: a leading plus sign would begin a formula. */
const phoneUrl = (phone: string): string => (phone === '' ? '' : `tel:${phone}`)

const yes = (is: boolean): string => (is ? 'true' : 'false')

const CARDS = [
  'CONTACTLESS_CARD_SUPPORT',
  'CREDIT_CARD_PAYABLE',
  'DEBIT_CARD_PAYABLE',
  'PED_TERMINAL',
]
const OTHERS = ['APP', 'CASH', 'RFID_READER', 'PLUG_AND_CHARGE']
/** Payment methods that need no contract. */
const AD_HOC = [...CARDS, 'APP', 'CASH', 'FREE_OF_CHARGE']

const stationRow = (site: PublicSite): Row => {
  const { business, payment } = site
  const pays = (means: readonly string[]): string =>
    yes(payment.some((each) => means.includes(each)))
  return {
    nom_operateur: business.legal_name || business.name,
    contact_operateur: site.contact_email,
    telephone_operateur: phoneUrl(site.contact_phone || business.phone),
    nom_enseigne: business.name,
    id_station_itinerance: idOf(site.reference),
    id_station_local: site.reference || site.id,
    nom_station: site.name,
    implantation_station: PLACEMENTS.toFormat(site.parking_type) ?? '',
    adresse_station: fullAddress(site),
    coordonneesXY: `[${site.longitude},${site.latitude}]`,
    nbre_pdc: String(chargePointsOf(site).length),
    gratuit: yes(payment.includes('FREE_OF_CHARGE') || isFreeSite(site)),
    paiement_acte: pays(AD_HOC),
    paiement_cb: pays(CARDS),
    paiement_autre: pays(OTHERS),
    tarification: site.cost,
    condition_acces: ACCESS.toFormat(site.access) ?? '',
    reservation: yes(false),
    horaires: irveHours(site),
    accessibilite_pmr: WHEELCHAIR.toFormat(site.wheelchair || 'UNKNOWN') ?? '',
    restriction_gabarit: site.max_height_m
      ? `Hauteur maximale ${String(site.max_height_m).replace('.', ',')} m`
      : 'Inconnu',
    station_deux_roues: yes(site.two_wheelers),
    date_maj: (site.confirmed || site.updated).slice(0, 10),
  }
}

/** The address, with the postal code and the town unless it already contains them. */
const fullAddress = ({ address, postal_code, city }: PublicSite): string => {
  const missing = [postal_code, city].filter((part) => part !== '' && !address.includes(part))
  return [address, missing.join(' ')].filter((part) => part !== '').join(' ')
}

const isFreeSite = (site: PublicSite): boolean =>
  site.connectors.every((connector) => {
    const tariff = tariffOf(site, connector)
    return (
      tariff !== undefined &&
      isFree({
        ...tariff,
        min_price: tariff.min_price ?? undefined,
        max_price: tariff.max_price ?? undefined,
      })
    )
  })

const chargePointRow = (connectors: readonly PublicConnector[], reportLoss: ReportLoss): Row => {
  const [first] = connectors
  const columns = connectors.map(({ standard }) => PLUG_COLUMNS.toFormat(standard))
  const has = (column: IrveColumn): Row => ({ [column]: yes(columns.includes(column)) })
  const strongest = Math.max(...connectors.map(({ kw_rating }) => kw_rating))
  if (new Set(columns).size < columns.length) reportLoss('connectors', 'standard', 'generalized')
  for (const { standard, kw_rating, evse_id } of connectors) {
    if (PLUG_COLUMNS.toFormat(standard) === undefined)
      reportLoss('connectors', 'standard', 'generalized')
    if (kw_rating !== strongest) reportLoss('connectors', 'kw_rating', 'generalized')
    if (evse_id !== '' && idOf(evse_id) !== evse_id)
      reportLoss('connectors', 'evse_id', 'generalized')
  }
  return {
    id_pdc_itinerance: idOf(connectors.find(({ evse_id }) => evse_id !== '')?.evse_id ?? ''),
    id_pdc_local: first?.reference || first?.evse || first?.id || '',
    puissance_nominale: String(strongest),
    ...has('prise_type_ef'),
    ...has('prise_type_2'),
    ...has('prise_type_combo_ccs'),
    ...has('prise_type_chademo'),
    prise_type_autre: yes(columns.includes(undefined)),
    cable_t2_attache: yes(
      connectors.some(({ standard, format }) => standard === 'IEC_62196_T2' && format === 'CABLE'),
    ),
  }
}

const reportStationLosses = (site: PublicSite, reportLoss: ReportLoss): void => {
  reportExceptionLoss(site, reportLoss)
  if (site.wheelchair === '') reportLoss('sites', 'wheelchair', 'assumed')
  if (idOf(site.reference) !== site.reference)
    reportLoss('sites', 'reference', site.reference === '' ? 'assumed' : 'generalized')
  // Otherwise the column contains the date of the record, and a reader cannot tell which one it is.
  if (site.confirmed !== '') reportLoss('sites', 'confirmed', 'generalized')
  if (site.contact_phone === '' && site.business.phone !== '')
    reportLoss('sites', 'contact_phone', 'derived')
  if (fullAddress(site) !== site.address)
    for (const field of ['address', 'city', 'postal_code'] as const)
      if (site[field] !== '') reportLoss('sites', field, 'generalized')
  if (site.payment.length > 0) reportLoss('sites', 'payment', 'generalized')
  for (const field of ['access', 'parking_type'] as const) {
    const table = { access: ACCESS, parking_type: PLACEMENTS }[field]
    if (site[field] === 'ALONG_MOTORWAY' || !table.roundTrips(site[field]))
      reportLoss('sites', field, 'generalized')
  }
}
