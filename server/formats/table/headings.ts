import { COLUMN_TARGETS, type ColumnTarget } from '#domain/import-source.ts'

import { translateDays } from '../repair/translate-hours.ts'
import { standardNamed } from '../repair/plugs.ts'
import { foldText } from '../repair/parse-text.ts'

/** Column headings in English, German, French and Spanish, without case, accents, spaces and punctuation. */
const HEADINGS: Readonly<Record<ColumnTarget, string>> = {
  'sites.reference':
    'id siteid stationid locationid chargedeviceref ref reference uid externalid stationsid standortid ladestationid ladesaulenid nummer kennung idstation identifiant identifiantstation idsitio idestacion identificador referencia codigo idstationitinerance',
  'sites.name':
    'name title site sitename station stationname locationname label bezeichnung standort standortname stationsname anzeigename anzeigenamekarte nom nomstation nstation chargedevicename libelle nombre nombreestacion titulo denominacion estacion hotel hotelname nomhotel nombrehotel haus betrieb unterkunft etablissement nometablissement establecimiento nombreestablecimiento',
  'sites.address':
    'address street streetaddress addressline1 addressline2 addressline address1 address2 addr addrstreet addrhousenumber adresse strasse strassenr strassehausnr strassehausnummer strasseundhausnummer hausnummer anschrift adressezusatz adressestation adstation buildingname subbuildingname buildingnumber thoroughfare rue adressecomplete direccion calle domicilio housenumber strasseundnr strasseundnummer rueetnumero calleynumero',
  'sites.city':
    'city town posttown locality municipality addrcity ort stadt gemeinde ville commune localite ciudad localidad municipio poblacion plzort plzundort plzstadt postleitzahlort postleitzahlundort codepostalville codepostaletville cpville zipcity postcodecity postcodetown cplocalidad cpmunicipio',
  'sites.postal_code':
    'postalcode postcode zip zipcode addrpostcode plz postleitzahl codepostal cp codigopostal',
  'sites.state':
    'state region province county bundesland kanton departement provincia comunidad estado',
  'sites.country':
    'country countrycode countryname addrcountry land landercode staat pays codepays pais codigopais',
  'sites.latitude':
    'latitude lat breitengrad breite geobreite ylatitude latitud consolidatedlatitude coordy y latwgs84 geolat',
  'sites.longitude':
    'longitude lng lon long langengrad laengengrad lange laenge geolange xlongitude longitud consolidatedlongitude coordx x lonwgs84 geolon geolng',
  position:
    'position coordinates coordinate geo geopoint geopoint2d latlng latlon gps gpscoordinates location koordinaten standortkoordinaten coordonnees coordonneesxy coordonneesgps coordenadas ubicacion wkt geometry geom',
  'sites.contact_email':
    'email mail contactemail emailaddress emailadresse courriel adressemail contact contactoperateur correo correoelectronico kontakt',
  'sites.contact_phone':
    'phone telephone contactphone phonenumber tel hotline telefon telefonnummer rufnummer numerodetelephone telephoneoperateur telefono numerodetelefono stationphone devicecontrollertelephoneno',
  'sites.cost':
    'cost price pricing usagecost fee preis preise kosten tarif tarification prix cout precio precios coste tarifa evpricing accesrecharge',
  'sites.vehicle_capacity':
    'capacity vehiclecapacity parkingspaces spaces numberofpoints numberofevses stellplatze parkplatze anzahlladepunkte ladepunkte nbrepdc nombredepoints capacite plazas numeropuntos capacidad',
  'sites.status':
    'status state operationalstatus stationstatus statuscode chargedevicestatus betriebsstatus zustand statut etat estado',
  'sites.published': 'published publish visible public veroffentlicht publie publicado',
  'sites.opening_hours':
    'openinghours hours openingtimes open opentimes accesshours offnungszeiten offnungszeit zeiten horaires heuresdouverture horario horarios horasdeapertura accessdaystime offnungszeitenwochentage offnungszeitentageszeiten oeffnungszeiten access24hours accessible24hours open24hours isopen24hours 24h 247 open24h open247 ouvert247 abierto247',
  'sites.time_zone': 'timezone zeitzone fuseauhoraire zonahoraria',
  'sites.access':
    'access accesstype accesscode usage usagetype zugang zuganglichkeit acces conditionacces typedacces acceso tipodeacceso availableto nutzerkreis',
  'sites.payment':
    'payment paymentmethods paymentoptions zahlung zahlungsarten bezahlsysteme bezahlung bezahlmethoden paiement moyensdepaiement modesdepaiement pago metodosdepago formasdepago',
  'sites.facilities':
    'facilities amenities services einrichtungen ausstattung annehmlichkeiten equipements servicios instalaciones',
  'sites.parking_type':
    'parkingtype parking parkplatzart art standorttyp typedeparking implantationstation implantation tipodeaparcamiento',
  'sites.parking_restrictions':
    'parkingrestrictions parkbeschrankungen parkbeschrankung restrictionsdestationnement restriccionesdeaparcamiento',
  'sites.max_height_m':
    'maxheight maxheightm heightlimit clearance hohe maximalehohe einfahrtshohe hauteur hauteurmaximale gabarit restrictiongabarit altura alturamaxima',
  'sites.wheelchair':
    'wheelchair accessible accessibility barrierefrei rollstuhl accessibilite accessibilitepmr pmr accesible sillaruedas',
  'sites.two_wheelers':
    'twowheelers motorcycles zweirader motorrad deuxroues stationdeuxroues dosruedas motos',
  'sites.drive_through': 'drivethrough durchfahrt traversant pasante',
  'sites.confirmed':
    'confirmed verified lastverified datelastverified lastconfirmed datelastconfirmed bestatigt gepruft confirme verifie confirmado verificado',
  'connectors.standard':
    'connector connectortype connectorstandard evconnectortypes plug plugtype plugs standard socket sockettype connectors stecker steckertyp steckertypen steckerart anschluss ladestecker prise typedeprise typeprise connecteur typedeconnecteur enchufe tipodeconector conector conectores tipoconector anschlusse anschlussart chargers chargertype typedeborne typeborne tipodecargador tipocargador',
  'connectors.format':
    'connectorformat format cable tethered tetheredcable connectortetheredcable cableattached kabel steckdoseoderkabel cableattache cablet2attache formato',
  'connectors.current_type':
    'currenttype current powertype acdc chargemethod connectorchargemethod stromart ladeart artderladeeinrichtung courant typedecourant typecourant corriente tipodecorriente',
  'connectors.kw_rating':
    'kw power powerkw kwrating maxpower maxpowerkw ratedpower ratedoutputkw connectorratedoutputkw outputkw chargingpower leistung leistungkw nennleistung nennleistungkw ladeleistung ladeleistungkw anschlussleistung nennleistungstecker puissance puissmax puissancekw puissancenominale puissancemaximale potencia potenciakw potenciamaxima potenciamax leistungproladepunkt leistungjeladepunkt puissancemax puissanceparborne puissanceparprise powerpercharger powerkilowatt',
  'connectors.voltage':
    'voltage volts volt maxvoltage ratedoutputvoltage connectorratedvoltage spannung tension voltaje tensionv',
  'connectors.amperage':
    'amperage amps amp ampere maxamperage ratedoutputcurrent connectoroutputcurrent stromstarke intensite intensidad amperaje',
  'connectors.evse':
    'evse evseuid chargepoint chargepointid chargingpoint ladepunkt ladepunktid pointdecharge puntodecarga',
  'connectors.evse_id': 'evseid evseids emi3 emi3id ladepunktkennung idpdcitinerance idpdc',
  'connectors.reference':
    'connectorid connectorreference connectorref plugid steckerid idprise idconector',
  // Other columns are chosen by the user, or recognised by the table as a whole.
  plugs_in_heading: 'evlevel1evsenum evlevel2evsenum evdcfastcount evdcfastnum',
  own_id: '',
  quantity:
    'quantity count qty number numberofconnectors connectorcount anzahl anzahlstecker anzahlanschlusse nombredeprises quantite cantidad numerodeconectores nombrebornes nbbornes nombrechargeurs nocargadores numerocargadores cargadores numberofchargers chargercount anzahlladestationen anzahlwallboxen anzahlladesaulen',
}

const TARGETS: ReadonlyMap<string, ColumnTarget> = new Map(
  Object.entries(HEADINGS).flatMap(([target, names]) =>
    names.split(' ').flatMap((name) => (name === '' ? [] : [[foldText(name), target] as const])),
  ),
)

/** The names of fields, with and without their collection. If both collections have a name, it means the site. */
const NAMES: ReadonlyMap<string, ColumnTarget> = new Map(
  COLUMN_TARGETS.toReversed().flatMap((target) => [
    [foldText(target.split('.').at(-1) ?? target), target] as const,
    [foldText(target), target] as const,
    [
      foldText(target.replace('sites.', 'site.').replace('connectors.', 'connector.')),
      target,
    ] as const,
  ]),
)

/** The target with this name; undefined if there is none. */
export const targetNamed = (heading: string): ColumnTarget | undefined =>
  NAMES.get(foldText(heading))

/** Words without meaning: "nom de la station". */
const FILLERS = /\b(?:of|the|in|der|die|das|des|de|du|la|le|les|del|el|los|las)\b|\b[dl]['’]/gi

const NUMBERS = new Set(['number', 'no', 'n', 'nummer', 'nr', 'numero', 'num'])

/** Whether a heading means the house number if it follows the street. */
export const isHouseNumber = (heading: string): boolean => NUMBERS.has(foldText(heading))

/** Headings of two columns that together contain the days and times of opening. */
const DAYS_AND_TIMES = new Set(['offnungszeitenwochentage', 'offnungszeitentageszeiten'])

/** Whether a column contains part of the opening hours. */
export const isOfDaysAndTimes = (heading: string): boolean => DAYS_AND_TIMES.has(foldText(heading))

/** Headings of columns whose value "yes" means always open. */
const ALWAYS_OPEN = new Set(
  'access24hours accessible24hours open24hours isopen24hours 24h 247 open24h open247 ouvert247 abierto247'.split(
    ' ',
  ),
)

/** Whether the value "yes" in a column means always open, in addition to other columns with hours. */
export const isAlwaysOpen = (heading: string): boolean => ALWAYS_OPEN.has(foldText(heading))

/** Headings of two columns that together contain the opening and closing times. */
const OPEN_FROM_UNTIL = new Set(
  [
    'open close opens closes openfrom opento openuntil opening closing openingtime closingtime openingfrom openingto openinghoursfrom openinghoursto',
    'offnet schliesst geoffnetvon geoffnetbis offnungvon offnungbis offnungszeitvon offnungszeitbis offnungszeitenvon offnungszeitenbis',
    'ouverture fermeture heureouverture heurefermeture ouvert ouverta',
    'apertura cierre horaapertura horacierre',
  ].flatMap((names) => names.split(' ')),
)

/** Whether a heading may mean the opening or closing time. */
export const isOpenFromOrUntil = (heading: string): boolean =>
  OPEN_FROM_UNTIL.has(foldText(heading.replace(FILLERS, '')))

/** Words that accompany a day in the heading of a column with hours. */
const HOURS_WORDS =
  /(?<!\p{L})(?:opening|access|open|opens|clos(?:es?|ing)|hours?|times?|from|until|[öo]ffnungszeit(?:en)?|[öo]ffnet|ge[öo]ffnet|schlie(?:ß|ss)t|von|bis|zeit(?:en)?|horaires?|heures?|ouverture|fermeture|de|du|d|[àa]|horarios?|apertura|cierre|desde|hasta|to)(?!\p{L})|[_:()'’]/giu

const DAY = '(?:Mo|Tu|We|Th|Fr|Sa|Su)'
const DAYS = new RegExp(`^${DAY}(?:[-,]${DAY})*$`)

/** Splits a heading into words on one line: "accessMondayFrom" is three words. */
const wordsOf = (heading: string): string =>
  heading.replaceAll('\n', ' ').replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')

/**
 * The days in each heading, in OpenStreetMap syntax; empty if a heading contains anything else. All headings together
 * decide whether "Di" is German or French.
 */
export const daysOfHeadings = (headings: readonly string[]): readonly string[] =>
  translateDays(headings.map(wordsOf).join('\n'))
    .split('\n')
    .map((heading) => {
      const range = heading
        .replace(new RegExp(`(${DAY}) (?:bis|to|à|a|au|al) (?=${DAY})`), '$1-')
        .replace(HOURS_WORDS, ' ')
        .replaceAll(/\s*[-–—]\s*/g, '-')
        .replaceAll(/\s*(?:[/&,+]|\b(?:and|und|et|y)\b)\s*/g, ',')
        .trim()
      return DAYS.test(range) ? range : ''
    })

/** Words that accompany the type of plug in the heading of a column with counts. */
const COUNTING =
  /(?<!\p{L})(?:number|no|num|count|qty|quantity|nb|nbre?|nombre|anzahl|cantidad|n[uú]mero|of|de|d|connectors?|plugs?|sockets?|outlets?|ports?|prises?|connecteurs?|points? de charge|stecker|anschl[uü]sse?|steckdosen?|ladepunkte|ladestationen|wallbox(?:en)?|bornes?|conectores|enchufes|tomas|cargadores)(?!\p{L})|[#_:'’°]/giu

/** Names of plugs that have another meaning in a heading: camping site, alternating current. */
const NO_PLUGS = new Set(
  'ac camping commando household haushalt domestic domestique domestico'.split(' '),
)

/** The type of plug in a heading: "Number of Type 2 (22 kW)" becomes "Type 2 (22 kW)". */
export const plugInHeading = (heading: string): string | undefined => {
  const name = heading.replace(COUNTING, ' ').trim()
  return NO_PLUGS.has(foldText(name)) || standardNamed(name) === undefined ? undefined : name
}

/** The headings of the United States register for counts of plugs by type of current: "EV Level2 EVSE Num". */
const CURRENT_OF_COUNT = /^EV[ _](?:(Level[ _]?[12])[ _]EVSE|DC[ _]Fast)[ _](?:Num|Count)$/i

/** The type of current in the heading of a column with counts, if it names no type of plug. */
export const currentInHeading = (heading: string): 'AC' | 'DC' | undefined => {
  const match = CURRENT_OF_COUNT.exec(heading.trim())
  return match === null ? undefined : match[1] === undefined ? 'DC' : 'AC'
}

/** The headings of the German register until 2023 for the power of plugs: "P1 [kW]". */
const POWER_OF_PLUG = /^P ?\d{1,2} ?[([]kW[)\]]$/i

/** The object in the heading of a flattened list of records: "gps.latitude", "address/street". */
const OBJECT_OF_PLACE = /^(?:address|location|gps|coordinates?|position|geo)[./]/i

/** The target of a heading; undefined if it is not recognised. */
export const targetOfHeading = (heading: string): ColumnTarget | undefined => {
  if (POWER_OF_PLUG.test(heading.trim())) return 'connectors.kw_rating'
  // Text in brackets is usually a unit.
  const plain = heading.replace(/[([].*$/, '')
  const inner = plain.replace(OBJECT_OF_PLACE, '')
  for (const text of [heading, plain, plain.replace(FILLERS, ''), inner]) {
    const name = foldText(text)
    const target = TARGETS.get(name) ?? TARGETS.get(name.replace(/(?:kw|inkw|enkw)$/, ''))
    if (target !== undefined) return target
    // Tables with several plugs per row number their columns.
    const numbered = TARGETS.get(name.replace(/\d+/g, ''))
    if (numbered?.startsWith('connectors.') === true) return numbered
  }
  return undefined
}
