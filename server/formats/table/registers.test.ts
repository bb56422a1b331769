import { expect, test } from 'vitest'

import type { OpeningHours } from '#domain/hours.ts'
import { printOsm } from '#domain/hours/osm.ts'
import type { Answers } from '#domain/repair.ts'

import { readParts, detectFormat } from '../formats.ts'
import { joinKey, joinParts } from '../join.ts'
import { repairStation } from '../repair/repair.ts'

// Tables with the headings and values of national registers.

const bytesOf = async function* (text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

/** The sites of a table as an import produces them, with or without answers. */
const sitesIn = async (text: string, answers: Answers = {}) => {
  expect(await detectFormat(bytesOf(text))).toMatchObject({ format: 'TABLE', isComplete: true })
  const groups = new Map<string, Parameters<typeof joinParts>[0]>()
  for await (const part of readParts(bytesOf(text))) {
    if (!('station' in part)) throw new Error(`${part.position}: ${part.problem.code}`)
    const key = joinKey(part.station)
    groups.set(key, [...(groups.get(key) ?? []), part.station])
  }
  return [...groups.values()].map((pieces) => {
    const { station, refusal, repairs } = repairStation(joinParts(pieces), answers)
    const hours = station.site['opening_hours'] as OpeningHours | undefined
    return {
      ...station,
      refusal,
      rules: repairs.map(({ rule }) => rule),
      hours: hours && printOsm(hours, 'Europe/Berlin'),
    }
  })
}

const GERMANY = `\ufeffLadesäulenregister Bundesnetzagentur;;;
Letzte Aktualisierung vom: 01.09.2026;;;
Allgemeine Informationen;;;;;;;;;;;;;;;;;;;;;;;1. Ladepunkt;;;;2. Ladepunkt;;;
Ladeeinrichtungs-ID;Betreiber;Anzeigename (Karte);Status;Art der Ladeeinrichtung;Anzahl Ladepunkte;Nennleistung Ladeeinrichtung [kW];\
Inbetriebnahmedatum;Straße;Hausnummer;Adresszusatz;Postleitzahl;Ort;Kreis/kreisfreie Stadt;Bundesland;Breitengrad;Längengrad;\
Standortbezeichnung;Informationen zum Parkraum;Bezahlsysteme;Öffnungszeiten;Öffnungszeiten: Wochentage;Öffnungszeiten: Tageszeiten;\
Steckertypen1;Nennleistung Stecker1;EVSE-ID1;Public Key1;Steckertypen2;Nennleistung Stecker2;EVSE-ID2;Public Key2
1010338;Albwerk;Albwerk Heroldstatt;In Betrieb;Normalladeeinrichtung;2;33;11.01.2020;Am Berg;1;;72535;Heroldstatt;Alb-Donau-Kreis;\
Baden-Württemberg;48,442398;9,659075;;Keine Beschränkung;"RFID-Karte;Onlinezahlungsverfahren";247;;;\
AC Typ 2 Steckdose;22;"DE*ABC*E1\n";"AB\nCD";AC Typ 2 Fahrzeugkupplung;11;;
1010339;Albwerk;Albwerk Ehingen;In Wartung;Schnellladeeinrichtung;1;300;02.03.2021;Markt;4;;89584;Ehingen;Alb-Donau-Kreis;\
Baden-Württemberg;48,2831;9,7235;;;"Kreditkarte (NFC);Debitkarte (NFC)";Eingeschränkt;\
"Montag; Dienstag; Samstag; Sonntag";"08:00-18:00; 08:00-16:00; 00:00-23:59; 10:00-12:00";\
"DC Fahrzeugkupplung Typ Combo 2 (CCS); DC CHAdeMO";"300; 62,5";;;DC Megawatt Charging System (MCS);1000;;
1010340;Albwerk;Albwerk Laichingen;In Betrieb;Normalladeeinrichtung;1;22;02.03.2021;Weg;2;;89150;Laichingen;Alb-Donau-Kreis;\
Baden-Württemberg;48,4903;9,6856;;;;Keine Angabe;;;AC Typ 2 Steckdose;22;;;;;;
`

test('Germany: hours in a list of days and one of times, means of payment, and cables', async () => {
  const [one, two, three] = await sitesIn(GERMANY)
  expect(one).toMatchObject({
    hours: '24/7',
    site: { status: 'AVAILABLE', payment: ['RFID_READER', 'APP'] },
    connectors: [
      { standard: 'IEC_62196_T2', format: 'SOCKET', kw_rating: 22, evse_id: 'DE*ABC*E1' },
      { standard: 'IEC_62196_T2', format: 'CABLE', kw_rating: 11 },
    ],
  })
  expect(two).toMatchObject({
    hours: 'Mo 08:00-18:00; Tu 08:00-16:00; Sa 00:00-24:00; Su 10:00-12:00',
    site: { status: 'INOPERATIVE', payment: ['CREDIT_CARD_PAYABLE', 'DEBIT_CARD_PAYABLE'] },
    connectors: [
      { standard: 'IEC_62196_T2_COMBO', kw_rating: 300 },
      { standard: 'CHADEMO', kw_rating: 62.5 },
      { standard: 'MCS', kw_rating: 1000 },
    ],
  })
  expect([three?.hours, three?.refusal]).toEqual([undefined, undefined])
  expect(three?.rules, 'nobody has to look at "not stated"').not.toContain('hours_partly_read')
})

test('Germany, until 2023: the power of each plug', async () => {
  const sites = await sitesIn(`Ladesäulenregister;;
Betreiber;Straße;Hausnummer;Postleitzahl;Ort;Breitengrad;Längengrad;Nennleistung Ladeeinrichtung [kW];Anzahl Ladepunkte;\
Steckertypen1;P1 [kW];Public Key1;Steckertypen2;P2 [kW];Public Key2
EnBW;Solnhofer Str.;10;90453;Nürnberg;49,384;11,06;200;2;DC Kupplung Combo;150;;DC CHAdeMO;50;
`)
  expect(sites).toMatchObject([
    {
      connectors: [
        { standard: 'IEC_62196_T2_COMBO', kw_rating: 150 },
        { standard: 'CHADEMO', kw_rating: 50 },
      ],
    },
  ])
})

test('France, until 2021: names, hours under "accessibilité", and several kinds of plugs with a hyphen', async () => {
  const sites =
    await sitesIn(`n_amenageur;n_enseigne;id_station;n_station;ad_station;code_insee;Xlongitude;Ylatitude;nbre_pdc;id_pdc;puiss_max;\
type_prise;acces_recharge;accessibilité;observations;date_maj
Example;Example;FR*ABC*P*1;Town hall;1 Main street, Lille;59350;3.0573;50.6292;2;FR*ABC*E1;22.000;T2 - E/F;Payant;24h/24 et 7j/7;;2018/06/04
Example;Example;FR*ABC*P*2;Station;2 Main street, Lille;59350;3.0673;50.6392;1;FR*ABC*E2;50;T2-Combo2-CHAdeMO;Gratuit;24/24 7/7 jours;;2018/06/04
Example;Example;FR*ABC*P*3;Market;3 Main street, Lille;59350;3.0773;50.6492;1;FR*ABC*E3;3,7kW;E/F + T2;Gratuit;24/24 - 7/7;;2018/06/04
`)
  expect(sites).toMatchObject([
    {
      reference: 'FR*ABC*P*1',
      site: { name: 'Town hall', address: '1 Main street, Lille', cost: 'Payant' },
      hours: '24/7',
      connectors: [
        { standard: 'IEC_62196_T2', kw_rating: 22 },
        { standard: 'DOMESTIC_E', kw_rating: 3.7 },
      ],
    },
    {
      hours: '24/7',
      // Type 2 has 43 kW at most, so it waits for an answer.
      connectors: [
        { standard: 'IEC_62196_T2_COMBO', kw_rating: 50 },
        { standard: 'CHADEMO', kw_rating: 50 },
      ],
    },
    {
      hours: '24/7',
      connectors: [
        { standard: 'DOMESTIC_E', kw_rating: 3.7 },
        { standard: 'IEC_62196_T2', kw_rating: 3.7 },
      ],
    },
  ])
})

test.each([
  ['Type 2 - Mennekes', 1],
  ['Type-2', 1],
  ['CCS - Type 2', 2],
])('%s is %i kinds of plugs', async (cell, count) => {
  const [one] = await sitesIn(`Name;Address;Lat;Lon;Plug;Power\nHall;Road 1;50.1;6.9;${cell};22\n`)
  expect(one?.connectors).toHaveLength(count)
})

test('United Kingdom: the power, the current and the cable of each connector', async () => {
  const sites =
    await sitesIn(`chargeDeviceID,reference,name,latitude,longitude,subBuildingName,buildingName,buildingNumber,thoroughfare,street,town,postcode,\
countryCode,deviceControllerTelephoneNo,chargeDeviceStatus,access24Hours,accessMondayFrom,accessMondayTo,accessTuesdayFrom,accessTuesdayTo,\
accessWednesdayFrom,accessWednesdayTo,accessThursdayFrom,accessThursdayTo,accessFridayFrom,accessFridayTo,accessSaturdayFrom,accessSaturdayTo,\
accessSundayFrom,accessSundayTo,connector1ID,connector1Type,connector1RatedOutputKW,connector1OutputCurrent,connector1RatedVoltage,connector1ChargeMethod,connector1TetheredCable,\
connector2ID,connector2Type,connector2RatedOutputKW,connector2OutputCurrent,connector2RatedVoltage,connector2ChargeMethod,connector2TetheredCable
cfee,SRC1,2 Riddons Road,51.431454,0.031175,,,,,Riddons Road,London,SE12 9QR,gb,,In service,1,,,,,,,,,,,,,,,\
1,Type 2 Mennekes (IEC62196),7.00,32,230,Single Phase AC,1,2,3-pin Type G (BS1363),3.00,13,230,Single Phase AC,0
beef,SRC2,Superstore,51.441454,0.031175,,The Gateway,140,Graham Road,,London,SE12 9QR,gb,020 7946 0000,Out of service,0,\
17:00,01:00,17:00,01:00,17:00,01:00,17:00,01:00,17:00,01:00,10:00,22:00,,,\
1,Type 2 Mennekes (IEC62196),7.00,32,230,Single Phase AC,1,,,,,,,
`)
  expect(sites).toMatchObject([
    {
      reference: 'SRC1',
      site: { address: 'Riddons Road', status: 'AVAILABLE' },
      hours: '24/7',
      connectors: [
        { standard: 'IEC_62196_T2', kw_rating: 7, amperage: 32, voltage: 230, format: 'CABLE' },
        { standard: 'DOMESTIC_G', kw_rating: 3, amperage: 13, format: 'SOCKET' },
      ],
    },
    {
      reference: 'SRC2',
      site: {
        address: 'The Gateway 140 Graham Road',
        status: 'INOPERATIVE',
        contact_phone: '020 7946 0000',
      },
      hours: 'Mo-Fr 17:00-01:00, Sa 10:00-22:00',
      connectors: [{ standard: 'IEC_62196_T2' }],
    },
  ])
})

test('United States: planned, private, and temporarily closed stations', async () => {
  const sites =
    await sitesIn(`Fuel Type Code,Station Name,Street Address,City,State,ZIP,Station Phone,Status Code,Access Days Time,\
Latitude,Longitude,Date Last Confirmed,ID,EV Connector Types,Country,Access Code,EV Pricing
ELEC,Depot,1 Main St,Boston,MA,02110,617-555-0100,P,24 hours daily,42.36,-71.06,2024-01-10,1,J1772,US,private,Free
ELEC,Garage,2 Main St,Boston,MA,02110,,T,"MON-FRI 6:00am-8:00pm, SAT 9:00am-5:00pm",42.37,-71.07,,2,J1772,US,public,$0.30 per kWh
`)
  expect(sites).toMatchObject([
    { site: { status: 'PLANNED', access: 'PRIVATE', cost: 'Free', contact_phone: '617-555-0100' } },
    {
      site: { status: 'INOPERATIVE', access: 'PUBLIC', cost: '$0.30 per kWh' },
      hours: 'Mo-Fr 06:00-20:00; Sa 09:00-17:00',
    },
  ])
})

test('United States: the number of plugs per type of current, dates with the month first, and no other fuels', async () => {
  const sites = await sitesIn(
    `Fuel Type Code,Station Name,Street Address,City,State,ZIP,Status Code,Latitude,Longitude,Date Last Confirmed,ID,\
EV Level1 EVSE Num,EV Level2 EVSE Num,EV DC Fast Count,EV Connector Types,Country
ELEC,Depot,1 Main St,Boston,MA,02110,E,42.36,-71.06,9/12/2025,1,,4,,J1772,US
ELEC,Mall,2 Main St,Boston,MA,02110,E,42.37,-71.07,11/13/2025,2,,2,3,J1772 J1772COMBO,US
ELEC,Rest area,3 Main St,Boston,MA,02110,E,42.38,-71.08,11/13/2025,3,,,8,TESLA,US
ELEC,Hotel,4 Main St,Boston,MA,02110,E,42.39,-71.09,11/13/2025,4,,2,4,CHADEMO J1772 J1772COMBO,US
CNG,Gas,5 Main St,Boston,MA,02110,E,42.40,-71.10,11/13/2025,5,,,,,US
`,
    { power_usual: true },
  )
  const kinds = sites.map(({ connectors }) =>
    [...Map.groupBy(connectors, ({ standard }) => standard)].map(([standard, all]) =>
      [all.length, standard, all[0]?.['current_type']].join(' '),
    ),
  )
  expect(sites.map(({ reference }) => reference)).toEqual(['1', '2', '3', '4'])
  expect(kinds).toEqual([
    ['4 IEC_62196_T1 AC_1_PHASE'],
    ['2 IEC_62196_T1 AC_1_PHASE', '3 IEC_62196_T1_COMBO DC'],
    ['8 TESLA_S DC'],
    ['1 CHADEMO DC', '2 IEC_62196_T1 AC_1_PHASE', '1 IEC_62196_T1_COMBO DC'],
  ])
  expect(sites[0]?.site['confirmed']).toBe('2025-09-12 00:00:00.000Z')
})

test.each([
  ['DEU', '9/12/2025', '2025-12-09 00:00:00.000Z'],
  ['USA', '9/12/2025', '2025-09-12 00:00:00.000Z'],
  ['CAN', '9/12/2025', undefined],
])('in %s, %s is %s', async (country, date, expected) => {
  const [one] = await sitesIn(
    `Name;Address;Country;Lat;Lon;Verified\nHall;Road 1;${country};50.1;6.9;${date}\n`,
  )
  expect(one?.site['confirmed']).toBe(expected)
})

test('only the register of the United States has letters as status codes', async () => {
  const statuses = await sitesIn(`Name;Address;Lat;Lon;Status\nHall;Road 1;50.1;6.9;P\n`)
  expect(statuses[0]?.site['status']).toBeUndefined()
})

test('umlauts may be spelled out', async () => {
  const [one] = await sitesIn(`Strasse;Hausnummer;Breitengrad;Laengengrad\nRoad;1;50.1;6.9\n`)
  expect(one?.site).toMatchObject({ address: 'Road 1', longitude: 6.9 })
})

test.each([
  ['Preis (€/kWh)', '0,59', '0,59 €/kWh'],
  ['Price [£ per kWh]', '0.79', '0.79 £ per kWh'],
  ['Preis (€/kWh)', '0,59 €', '0,59 €'],
  ['Preis (€/kWh)', 'kostenlos', 'kostenlos'],
  ['Price (net)', '0.59', '0.59'],
])('below the heading %s, %s is the price %s', async (heading, cell, price) => {
  const [one] = await sitesIn(
    `Name;Lat;Lon;Plug;Power;${heading}\nTown hall;50.1;6.9;CCS;50;${cell}\n`,
  )
  expect(one?.site['cost']).toBe(price)
})
