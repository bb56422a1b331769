import { alpha2Of } from './country.ts'

/** Countries (ISO 3166-1 alpha-2) by their currency (ISO 4217). */
const COUNTRIES: Readonly<Record<string, string>> = {
  EUR: 'AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM TF VA XK YT',
  USD: 'AS BQ EC FM GU IO MH MP PR PW SV TC TL UM US VG VI',
  GBP: 'GB GG GS IM JE',
  AUD: 'AU CC CX HM KI NF NR TV',
  CHF: 'CH LI',
  DKK: 'DK FO GL',
  MAD: 'EH MA',
  NOK: 'BV NO SJ',
  NZD: 'CK NU NZ PN TK',
  ILS: 'IL PS',
  XAF: 'CF CG CM GA GQ TD',
  XOF: 'BF BJ CI GW ML NE SN TG',
  XPF: 'NC PF WF',
  XCD: 'AG AI DM GD KN LC MS VC',
  XCG: 'CW SX',
  AED: 'AE',
  AFN: 'AF',
  ALL: 'AL',
  AMD: 'AM',
  AOA: 'AO',
  ARS: 'AR',
  AWG: 'AW',
  AZN: 'AZ',
  BAM: 'BA',
  BBD: 'BB',
  BDT: 'BD',
  BHD: 'BH',
  BIF: 'BI',
  BMD: 'BM',
  BND: 'BN',
  BOB: 'BO',
  BRL: 'BR',
  BSD: 'BS',
  BTN: 'BT',
  BWP: 'BW',
  BYN: 'BY',
  BZD: 'BZ',
  CAD: 'CA',
  CDF: 'CD',
  CLP: 'CL',
  CNY: 'CN',
  COP: 'CO',
  CRC: 'CR',
  CUP: 'CU',
  CVE: 'CV',
  CZK: 'CZ',
  DJF: 'DJ',
  DOP: 'DO',
  DZD: 'DZ',
  EGP: 'EG',
  ERN: 'ER',
  ETB: 'ET',
  FJD: 'FJ',
  FKP: 'FK',
  GEL: 'GE',
  GHS: 'GH',
  GIP: 'GI',
  GMD: 'GM',
  GNF: 'GN',
  GTQ: 'GT',
  GYD: 'GY',
  HKD: 'HK',
  HNL: 'HN',
  HTG: 'HT',
  HUF: 'HU',
  IDR: 'ID',
  INR: 'IN',
  IQD: 'IQ',
  IRR: 'IR',
  ISK: 'IS',
  JMD: 'JM',
  JOD: 'JO',
  JPY: 'JP',
  KES: 'KE',
  KGS: 'KG',
  KHR: 'KH',
  KMF: 'KM',
  KPW: 'KP',
  KRW: 'KR',
  KWD: 'KW',
  KYD: 'KY',
  KZT: 'KZ',
  LAK: 'LA',
  LBP: 'LB',
  LKR: 'LK',
  LRD: 'LR',
  LSL: 'LS',
  LYD: 'LY',
  MDL: 'MD',
  MGA: 'MG',
  MKD: 'MK',
  MMK: 'MM',
  MNT: 'MN',
  MOP: 'MO',
  MRU: 'MR',
  MUR: 'MU',
  MVR: 'MV',
  MWK: 'MW',
  MXN: 'MX',
  MYR: 'MY',
  MZN: 'MZ',
  NAD: 'NA',
  NGN: 'NG',
  NIO: 'NI',
  NPR: 'NP',
  OMR: 'OM',
  PAB: 'PA',
  PEN: 'PE',
  PGK: 'PG',
  PHP: 'PH',
  PKR: 'PK',
  PLN: 'PL',
  PYG: 'PY',
  QAR: 'QA',
  RON: 'RO',
  RSD: 'RS',
  RUB: 'RU',
  RWF: 'RW',
  SAR: 'SA',
  SBD: 'SB',
  SCR: 'SC',
  SDG: 'SD',
  SEK: 'SE',
  SGD: 'SG',
  SHP: 'SH',
  SLE: 'SL',
  SOS: 'SO',
  SRD: 'SR',
  SSP: 'SS',
  STN: 'ST',
  SYP: 'SY',
  SZL: 'SZ',
  THB: 'TH',
  TJS: 'TJ',
  TMT: 'TM',
  TND: 'TN',
  TOP: 'TO',
  TRY: 'TR',
  TTD: 'TT',
  TWD: 'TW',
  TZS: 'TZ',
  UAH: 'UA',
  UGX: 'UG',
  UYU: 'UY',
  UZS: 'UZ',
  VES: 'VE',
  VND: 'VN',
  VUV: 'VU',
  WST: 'WS',
  YER: 'YE',
  ZAR: 'ZA',
  ZMW: 'ZM',
  ZWG: 'ZW',
}

/** The currency (ISO 4217) of a country (ISO 3166-1 alpha-2); undefined if none is known. */
export const currencyOf = (country: string | undefined): string | undefined =>
  country === undefined
    ? undefined
    : Object.entries(COUNTRIES).find(([, countries]) => countries.split(' ').includes(country))?.[0]

interface Offer {
  /** The currency that the owner last chose. */
  readonly chosen: string | undefined
  /** The countries of the sites (ISO 3166-1 alpha-3). */
  readonly sites: readonly string[]
  /** Other countries that the owner may be in (ISO 3166-1 alpha-2), likeliest first. */
  readonly otherwise: readonly string[]
}

/** Returns the currency to offer for a new price: the chosen one, otherwise the currency of most sites. */
export const offeredCurrency = ({ chosen, sites, otherwise }: Offer): string => {
  if (chosen !== undefined) return chosen
  const counts = new Map<string, number>()
  for (const [country, all] of Map.groupBy(sites, (each) => each)) {
    const currency = currencyOf(alpha2Of(country))
    if (currency !== undefined) counts.set(currency, (counts.get(currency) ?? 0) + all.length)
  }
  const [usual] = [...counts].toSorted(([, one], [, other]) => other - one)
  return usual?.[0] ?? otherwise.map(currencyOf).find((each) => each !== undefined) ?? 'EUR'
}

/** Currencies with larger amounts: roughly 10, 100 or 1,000 units to the euro. */
const LARGER: readonly (readonly [factor: number, currencies: string])[] = [
  [10, 'CNY CZK DKK EGP HKD MAD MDL MXN NOK SEK THB TRY TWD UAH UYU ZAR'],
  [100, 'DZD HUF INR ISK JPY KES LKR NPR PHP PKR RSD RUB'],
  [1000, 'AMD ARS CLP COP CRC KRW KZT NGN RWF TZS XAF XOF'],
  [10_000, 'IDR LAK MNT UGX UZS VND'],
]

/** Converts an amount in euros into a round amount of roughly the same value in another currency, for examples. */
export const aboutAsMuch = (euros: number, currency: string): number =>
  euros * (LARGER.find(([, currencies]) => currencies.split(' ').includes(currency))?.[0] ?? 1)
