import type PocketBase from 'pocketbase'
import type { RecordModel } from 'pocketbase'

import { BUSINESSES, CONNECTORS, SITES, TARIFFS } from '#domain/collection.ts'
import { makeLogo, makePicture } from '../support/images.ts'
import { tariffBody } from '../support/owner.ts'

const TYPE2 = { standard: 'IEC_62196_T2', format: 'SOCKET', current_type: 'AC_3_PHASE' }
const CCS = { standard: 'IEC_62196_T2_COMBO', format: 'CABLE', current_type: 'DC' }
const CHADEMO = { standard: 'CHADEMO', format: 'CABLE', current_type: 'DC' }

const HOTELS = [
  {
    name: 'Harbour Lane Quay',
    address: '12 Quay Street, Portrush BT56 8BN',
    latitude: 55.2044,
    longitude: -6.6531,
    vehicle_capacity: 6,
    status: 'AVAILABLE',
    cost: '£0.62 / kWh',
    contact_phone: '+44 28 7000 0000',
    photos: 3,
    connectors: [
      ...Array.from({ length: 4 }, () => ({ ...CCS, kw_rating: 150 })),
      { ...TYPE2, kw_rating: 22 },
      { ...CHADEMO, kw_rating: 50 },
    ],
  },
  {
    name: 'Strand Rooms',
    address: '3 Strand Road, Portstewart',
    latitude: 55.1812,
    longitude: -6.7151,
    vehicle_capacity: 2,
    status: 'AVAILABLE',
    cost: 'Free for guests',
    photos: 1,
    connectors: [
      { ...TYPE2, kw_rating: 7.4 },
      { ...TYPE2, kw_rating: 7.4 },
    ],
  },
  {
    name: 'The Old Signal House and Winter Garden at Ballycastle Marina',
    address: 'Ballycastle Marina, North Street, Ballycastle, County Antrim BT54 6BN',
    latitude: 55.2056,
    longitude: -6.2417,
    vehicle_capacity: 2,
    status: 'INOPERATIVE',
    cost: '',
    photos: 1,
    connectors: [{ ...TYPE2, kw_rating: 22 }],
  },
  {
    name: 'Giant’s View',
    address: '60 Causeway Road, Bushmills',
    latitude: 55.2268,
    longitude: -6.5195,
    vehicle_capacity: 4,
    status: 'OUTOFORDER',
    cost: '£0.55 / kWh, £0.10 / min after 60 min',
    photos: 0,
    connectors: [{ ...CCS, kw_rating: 50 }],
  },
  {
    name: 'Dunluce Annex',
    address: '87 Dunluce Road, Bushmills',
    latitude: 55.2109,
    longitude: -6.5794,
    vehicle_capacity: 2,
    status: 'PLANNED',
    cost: '',
    photos: 0,
    connectors: [],
  },
] as const

/** Creates a realistic small hotel chain for an owner. @returns its sites */
export const prepareChain = async (client: PocketBase): Promise<readonly RecordModel[]> => {
  const business = await client.collection(BUSINESSES).create({
    user: client.authStore.record?.id,
    name: 'Harbour Lane Hotels',
    description:
      'Small hotels on the north coast. Guests and everybody who passes by are welcome to charge.',
    website: 'https://harbour-lane.example',
    contact_email: 'desk@harbour-lane.example',
    logo: await makeLogo('logo.png'),
  })
  const sites: RecordModel[] = []
  for (const [index, { connectors, photos, ...values }] of HOTELS.entries()) {
    const pictures = Array.from({ length: photos }, (_, at) =>
      makePicture(`view-${at + 1}.jpg`, index * 3 + at),
    )
    const body = { ...values, business: business.id, photos: await Promise.all(pictures) }
    const site = await client.collection(SITES).create(body)
    for (const connector of connectors)
      await client.collection(CONNECTORS).create({ ...connector, site: site.id })
    sites.push(site)
  }
  return sites
}

/** Fills in all traveller-facing fields of a site of the chain. */
export const describeSite = async (
  client: PocketBase,
  site: RecordModel | undefined,
): Promise<void> => {
  const tariff = await client.collection(TARIFFS).create({
    ...tariffBody(String(site?.['business'])),
    elements: [
      {
        price_components: [
          { type: 'ENERGY', price: 0.59, step_size: 1 },
          { type: 'PARKING_TIME', price: 6, step_size: 60 },
        ],
      },
    ],
  })
  const [cover = '', second = ''] = (site?.['photos'] ?? []) as readonly string[]
  await client.collection(SITES).update(site?.id ?? '', {
    tariff: tariff.id,
    city: 'Portrush',
    postal_code: 'BT56 8BN',
    photo_categories: { [cover]: 'CHARGER', [second]: 'ENTRANCE' },
    opening_hours: {
      twentyfourseven: false,
      regular_hours: [1, 2, 3, 4, 5, 6].map((weekday) => ({
        weekday,
        period_begin: weekday === 6 ? '09:00' : '07:00',
        period_end: '22:00',
      })),
      exceptional_closings: [
        { period_begin: '2030-12-25T00:00:00Z', period_end: '2030-12-27T00:00:00Z' },
      ],
    },
    payment: ['CONTACTLESS_CARD_SUPPORT', 'RFID_READER', 'APP'],
    facilities: ['HOTEL', 'CAFE', 'WIFI'],
    access: 'PUBLIC',
    parking_type: 'PARKING_GARAGE',
    parking_restrictions: ['PLUGGED'],
    max_height_m: 2.1,
    wheelchair: 'ACCESSIBLE',
    drive_through: true,
    contact_email: 'desk@harbour-lane.example',
    confirmed: '2026-09-01 00:00:00.000Z',
  })
}
