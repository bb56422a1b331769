/** A station in the format of a file. */
export const station = (reference: string, site: object = {}, connectors: object[] = [plug()]) => ({
  reference,
  site: {
    name: `Station ${reference}`,
    address: '12 Quay Street, Portrush',
    // Far from one another, and from the sites of other tests.
    latitude: 54 + (reference.codePointAt(0) ?? 0) / 1000,
    longitude: -6.9,
    ...site,
  },
  connectors,
})

export const plug = (more: object = {}) => ({
  standard: 'IEC_62196_T2',
  format: 'SOCKET',
  current_type: 'AC_3_PHASE',
  kw_rating: 22,
  ...more,
})

/** A file of stations in the network's own export format. */
export const fileOf = (
  stations: readonly ReturnType<typeof station>[],
  name = 'stations.json',
): File => {
  const sites = stations.map(({ reference, site }, index) => ({
    collectionName: 'sites',
    id: `site${index}`,
    reference,
    ...site,
  }))
  const connectors = stations.flatMap((each, index) =>
    each.connectors.map((connector) => ({ site: `site${index}`, ...connector })),
  )
  return new File([JSON.stringify({ sites, connectors })], name)
}
