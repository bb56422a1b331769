/** A station of a small file of the French register, with its id, its name and its number of charge points. */
export interface RegisteredStation {
  readonly id: string
  readonly name: string
  readonly points?: number
  /** In the format of the register: longitude, then latitude. */
  readonly position?: string
  readonly kw?: string
}

const HEADINGS = [
  'nom_amenageur',
  'contact_operateur',
  'nom_operateur',
  'nom_enseigne',
  'id_station_itinerance',
  'nom_station',
  'implantation_station',
  'adresse_station',
  'coordonneesXY',
  'nbre_pdc',
  'id_pdc_itinerance',
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
  'condition_acces',
  'reservation',
  'horaires',
  'accessibilite_pmr',
  'restriction_gabarit',
  'station_deux_roues',
  'date_maj',
] as const

/** A file of the French register (IRVE static 2.3.1), with a row per charge point. */
export const irveFile = (
  stations: readonly RegisteredStation[],
  name = 'irve-statique.csv',
): File => {
  const rows = stations.flatMap((station, at) => {
    const { id, name: title, points = 1, kw = '150.0' } = station
    const position = station.position ?? `[${(2.3 + at / 100).toFixed(4)}, 48.85]`
    return Array.from({ length: points }, (_, point) =>
      [
        'Quay Charge',
        'help@quay.example',
        'Quay Charge',
        'Quay',
        id,
        title,
        'Parking privé à usage public',
        `${at + 1} Quai de Seine 75019 Paris`,
        position,
        `${points}`,
        `${id.replace('P', 'E')}${point + 1}`,
        kw,
        'False',
        'False',
        'True',
        'False',
        'False',
        'False',
        'True',
        'True',
        'False',
        'Accès libre',
        'False',
        '24/7',
        'Accessible mais non réservé PMR',
        'Aucune Restriction',
        'False',
        '2026-11-01',
      ]
        .map((value) => (/[",]/.test(value) ? `"${value}"` : value))
        .join(','),
    )
  })
  return new File([[HEADINGS.join(','), ...rows].join('\n')], name, { type: 'text/csv' })
}
