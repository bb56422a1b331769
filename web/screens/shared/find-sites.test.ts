import { beforeAll, describe, expect, test } from 'vitest'

import type { Standard } from '#domain/connector.ts'
import type { SiteView } from '../../data/state.ts'
import { loadMessages, type Messages } from '../../messages/messages.ts'
import { makeConnector, makeSite } from '../../../tests/support/make.ts'
import { findSites } from './find-sites.ts'

const site = (
  name: string,
  address: string,
  { plugs = [], ...changes }: Partial<SiteView> & { plugs?: readonly Standard[] } = {},
): SiteView => ({
  ...makeSite(name, { name, address, latitude: 47.2, longitude: -1.5 }),
  photos: [],
  connectors: plugs.map((standard, index) => makeConnector(`${name}${index}`, name, { standard })),
  ...changes,
})
const withEvse = (found: SiteView, evse_id: string): SiteView => ({
  ...found,
  connectors: found.connectors.map((connector) => ({ ...connector, evse_id })),
})

const SITES = [
  withEvse(
    site('Intermarché', '2 Rue de Lyon, Saint-Herblain', {
      plugs: ['IEC_62196_T2'],
      contact_phone: '+33 (0)2 40 12 34 56',
    }),
    'FR*ABC*E12*1',
  ),
  site('Carrefour', '22 Avenue de Mantes, Nantes', {
    plugs: ['IEC_62196_T2_COMBO', 'CHADEMO'],
    contact_email: 'info@chargeurs.example',
  }),
  site('Bäckerei', 'Gießener Straße 22, Mantes', { plugs: ['IEC_62196_T1'], status: 'PLANNED' }),
  site('Ferme', 'Lieu-dit Bel-Air', {
    status: 'REMOVED',
    city: 'Orvault',
    postal_code: '44700',
    reference: 'FRABCPQUAY7',
  }),
]

describe('a search', () => {
  let en: Messages
  let de: Messages
  beforeAll(async () => {
    en = await loadMessages('en', ['core', 'owner'])
    de = await loadMessages('de', ['core', 'owner'])
  })
  const names = (query: string, messages = en) =>
    findSites(SITES, query, messages).sites.map(({ name }) => name)

  test.each([
    ['', ['Intermarché', 'Carrefour', 'Bäckerei', 'Ferme']],
    ['  RUE intermarche ', ['Intermarché']],
    ['marche', ['Intermarché']],
    ['giessener str', ['Bäckerei']],
    ['st herblain', ['Intermarché']],
    ['saint-herblain', ['Intermarché']],
    ['av de mantes', ['Carrefour']],
    ['22', ['Carrefour', 'Bäckerei']],
    ['44700 orvault', ['Ferme']],
    ['frabcpquay7', ['Ferme']],
  ])(
    'matches name, address and reference, ignoring accents, case and punctuation: %j',
    (query, found) => {
      expect(names(query)).toEqual(found)
      expect(findSites(SITES, query, en).isExact).toBe(true)
    },
  )

  test.each([
    ['CCS2', ['Carrefour']],
    ['combo 2', ['Carrefour']],
    ['type 2', ['Intermarché']],
    ['type', ['Intermarché', 'Bäckerei']],
    ['mennekes lyon', ['Intermarché']],
    ['coming soon', ['Bäckerei']],
    ['open 22', ['Carrefour']],
    ['closed for good', ['Ferme']],
    ['so', []],
    ['info@chargeurs.example', ['Carrefour']],
    ['02 40 12', ['Intermarché']],
    ['+33 2 40 12 34 56', ['Intermarché']],
    ['0033240', ['Intermarché']],
    ['FR*ABC*E12*1', ['Intermarché']],
    ['frabce12', ['Intermarché']],
    ['abce12', []],
  ])('matches plugs, status, contact email, phone and EVSE ids: %j', (query, found) => {
    expect(names(query)).toEqual(found)
  })

  test('matches plugs and status in the language of the page', () => {
    expect(names('demnächst', de)).toEqual(['Bäckerei'])
    expect(names('typ 2', de)).toEqual(['Intermarché'])
    expect(names('coming soon', de)).toEqual([])
  })

  test.each([
    ['intermarhce', 'two letters the wrong way round'],
    ['intremarche', 'two letters the wrong way round'],
    ['intrmarche', 'a letter too few'],
    ['interrmarche', 'a letter too many'],
    ['intermarchee', 'a letter too many at the end'],
    ['xntermarche', 'another letter'],
    ['intarm', 'an error in the beginning of the word'],
    ['menekes', 'an error in the name of a plug'],
  ])('tolerates one typing error: %s, %s', (query) => {
    expect(findSites(SITES, query, en)).toMatchObject({
      sites: [{ name: 'Intermarché' }],
      isExact: false,
    })
  })

  test('tolerates no second error, and none in short words or numbers', () => {
    for (const query of ['interamrhce', 'luon rue xyz', 'rux', 'ccs3'])
      expect(names(query)).toEqual([])
  })

  test('tolerates errors only in words that no site has, unless nothing matches', () => {
    expect(names('carrefuor nantes')).toEqual(['Carrefour'])
    expect(names('nantes bakcerei')).toEqual(['Bäckerei'])
  })

  test('matches the current values of a changed site', () => {
    const [first] = SITES
    const renamed = { ...first, name: 'Gare' } as SiteView
    expect(findSites([renamed], 'gare', en).sites).toEqual([renamed])
    expect(findSites([renamed], 'intermarche', en).sites).toEqual([])
  })
})
