import type { OcpiVersion } from '#domain/open-data.ts'

// The objects of the outputs in OCPI 2.2.1-d2 and 2.3.0 ed. 2 as JSON Schema, written from the specifications and not
// from our code. Objects accept no other properties, because the specifications name all.

type Schema = Readonly<Record<string, unknown>>

const object = (required: Schema, optional: Schema = {}): Schema => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
  additionalProperties: false,
})
const list = (items: Schema, min = 0): Schema => ({
  type: 'array',
  items,
  ...(min > 0 && { minItems: min }),
})
const string = (maxLength: number): Schema => ({ type: 'string', maxLength })
/** "Case insensitive string. Only printable ASCII allowed." */
const ciString = (maxLength: number): Schema => ({
  type: 'string',
  maxLength,
  pattern: '^[\\x20-\\x7e]+$',
})
const oneOf = (values: string): Schema => ({ enum: values.split(/\s+/) })
const integer: Schema = { type: 'integer' }
const number: Schema = { type: 'number', multipleOf: 0.0001 }
const bool: Schema = { type: 'boolean' }
const url: Schema = { type: 'string', maxLength: 255, pattern: '^https?://' }
/** "All timestamps are formatted as string(25) following RFC 3339", in UTC. */
const dateTime: Schema = {
  type: 'string',
  maxLength: 25,
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z?$',
}
const time: Schema = { type: 'string', pattern: '^([0-1][0-9]|2[0-3]):[0-5][0-9]$' }
const date: Schema = {
  type: 'string',
  pattern: '^[12][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$',
}

const CONNECTOR_TYPES = `CHADEMO CHAOJI DOMESTIC_A DOMESTIC_B DOMESTIC_C DOMESTIC_D DOMESTIC_E DOMESTIC_F DOMESTIC_G
  DOMESTIC_H DOMESTIC_I DOMESTIC_J DOMESTIC_K DOMESTIC_L DOMESTIC_M DOMESTIC_N DOMESTIC_O GBT_AC GBT_DC
  IEC_60309_2_single_16 IEC_60309_2_three_16 IEC_60309_2_three_32 IEC_60309_2_three_64 IEC_62196_T1 IEC_62196_T1_COMBO
  IEC_62196_T2 IEC_62196_T2_COMBO IEC_62196_T3A IEC_62196_T3C NEMA_5_20 NEMA_6_30 NEMA_6_50 NEMA_10_30 NEMA_10_50
  NEMA_14_30 NEMA_14_50 PANTOGRAPH_BOTTOM_UP PANTOGRAPH_TOP_DOWN TESLA_R TESLA_S`
const CAPABILITIES = `CHARGING_PROFILE_CAPABLE CHARGING_PREFERENCES_CAPABLE CHIP_CARD_SUPPORT CONTACTLESS_CARD_SUPPORT
  CREDIT_CARD_PAYABLE DEBIT_CARD_PAYABLE PED_TERMINAL REMOTE_START_STOP_CAPABLE RESERVABLE RFID_READER
  START_SESSION_CONNECTOR_REQUIRED TOKEN_GROUP_CAPABLE UNLOCK_CAPABLE`
const FACILITIES = `HOTEL RESTAURANT CAFE MALL SUPERMARKET SPORT RECREATION_AREA NATURE MUSEUM BIKE_SHARING BUS_STOP TAXI_STAND
  TRAM_STOP METRO_STATION TRAIN_STATION AIRPORT PARKING_LOT CARPOOL_PARKING FUEL_STATION WIFI`
const RESTRICTIONS = 'EV_ONLY PLUGGED DISABLED CUSTOMERS MOTORCYCLES'

const image = object(
  {
    url,
    category: oneOf('CHARGER ENTRANCE LOCATION NETWORK OPERATOR OTHER OWNER'),
    type: ciString(4),
  },
  { thumbnail: url, width: integer, height: integer },
)
const businessDetails = object({ name: string(100) }, { website: url, logo: image })
const coordinates = object({
  latitude: { type: 'string', maxLength: 10, pattern: '^-?[0-9]{1,2}\\.[0-9]{5,7}$' },
  longitude: { type: 'string', maxLength: 11, pattern: '^-?[0-9]{1,3}\\.[0-9]{5,7}$' },
})
const period = object({ period_begin: dateTime, period_end: dateTime })
const hours = object(
  { twentyfourseven: bool },
  {
    regular_hours: list(
      object({
        weekday: { type: 'integer', minimum: 1, maximum: 7 },
        period_begin: time,
        period_end: time,
      }),
    ),
    exceptional_openings: list(period),
    exceptional_closings: list(period),
  },
)

/** Selects by version: additions of 2.3.0 are only in the second value. */
const since230 = <T>(version: OcpiVersion, before: T, after: T): T =>
  version === '2.3.0' ? after : before

const connector = (version: OcpiVersion): Schema =>
  object(
    {
      id: ciString(36),
      standard: oneOf(since230(version, CONNECTOR_TYPES, `${CONNECTOR_TYPES} MCS SAE_J3400`)),
      format: oneOf('SOCKET CABLE'),
      power_type: oneOf('AC_1_PHASE AC_2_PHASE AC_2_PHASE_SPLIT AC_3_PHASE DC'),
      max_voltage: integer,
      max_amperage: integer,
      last_updated: dateTime,
    },
    {
      max_electric_power: integer,
      tariff_ids: list(ciString(36)),
      terms_and_conditions: url,
      ...since230(
        version,
        {},
        {
          capabilities: list(oneOf('ISO_15118_2_PLUG_AND_CHARGE ISO_15118_20_PLUG_AND_CHARGE')),
        },
      ),
    },
  )

const evse = (version: OcpiVersion): Schema =>
  object(
    {
      uid: ciString(36),
      status: oneOf(
        'AVAILABLE BLOCKED CHARGING INOPERATIVE OUTOFORDER PLANNED REMOVED RESERVED UNKNOWN',
      ),
      connectors: list(connector(version), 1),
      last_updated: dateTime,
    },
    {
      evse_id: ciString(48),
      capabilities: list(oneOf(CAPABILITIES)),
      physical_reference: string(16),
      parking_restrictions: list(
        oneOf(since230(version, RESTRICTIONS, `${RESTRICTIONS} EMPLOYEES TAXIS TENANTS`)),
      ),
      ...since230(version, {}, { parking: list(object({ parking_id: ciString(36) })) }),
    },
  )

/** OCPI 2.3.0 Parking. */
const parking = object(
  {
    id: ciString(36),
    vehicle_types: list(
      oneOf(`MOTORCYCLE PERSONAL_VEHICLE PERSONAL_VEHICLE_WITH_TRAILER VAN SEMI_TRACTOR RIGID TRUCK_WITH_TRAILER BUS
        DISABLED`),
      1,
    ),
    restricted_to_type: bool,
    reservation_required: bool,
  },
  { max_vehicle_height: number, drive_through: bool },
)

/** A Location. */
export const locationSchema = (version: OcpiVersion): Schema =>
  object(
    {
      country_code: ciString(2),
      party_id: ciString(3),
      id: ciString(36),
      publish: bool,
      address: string(since230(version, 45, 255)),
      city: string(45),
      country: { type: 'string', pattern: '^[A-Z]{3}$' },
      coordinates,
      time_zone: string(255),
      last_updated: dateTime,
    },
    {
      name: string(255),
      postal_code: string(10),
      state: string(since230(version, 20, 45)),
      parking_type: oneOf(
        'ALONG_MOTORWAY PARKING_GARAGE PARKING_LOT ON_DRIVEWAY ON_STREET UNDERGROUND_GARAGE',
      ),
      evses: list(evse(version)),
      operator: businessDetails,
      owner: businessDetails,
      facilities: list(oneOf(FACILITIES)),
      opening_times: hours,
      images: list(image),
      ...since230(
        version,
        {},
        {
          parking_places: list(parking),
          help_phone: ciString(25),
        },
      ),
    },
  )

const restrictions = object(
  {},
  {
    start_time: time,
    end_time: time,
    start_date: date,
    end_date: date,
    min_kwh: number,
    max_kwh: number,
    min_current: number,
    max_current: number,
    min_power: number,
    max_power: number,
    min_duration: integer,
    max_duration: integer,
    day_of_week: list(oneOf('MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY SUNDAY')),
    reservation: oneOf('RESERVATION RESERVATION_EXPIRES'),
  },
)

/** A Tariff. */
export const tariffSchema = (version: OcpiVersion): Schema => {
  const limit = since230(
    version,
    object({ excl_vat: number }, { incl_vat: number }),
    object({ before_taxes: number }, { after_taxes: number }),
  )
  const component = object(
    { type: oneOf('ENERGY FLAT PARKING_TIME TIME'), price: number, step_size: integer },
    { vat: number },
  )
  return object(
    {
      country_code: ciString(2),
      party_id: ciString(3),
      id: ciString(36),
      currency: { type: 'string', pattern: '^[A-Z]{3}$' },
      elements: list(object({ price_components: list(component, 1) }, { restrictions }), 1),
      last_updated: dateTime,
      ...since230(version, {}, { tax_included: oneOf('YES NO N/A') }),
    },
    { tariff_alt_url: url, min_price: limit, max_price: limit },
  )
}
