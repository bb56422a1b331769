import { createHash } from 'node:crypto'

import { decodeHTMLStrict } from 'entities'

import { connectors } from '#domain/connector.ts'
import { isEmail, isInvisible } from '#domain/schema.ts'
import { isTimeZone } from '#domain/hours/zone.ts'
import { sites } from '#domain/site.ts'

import { textOf } from '../read-values.ts'
import type { Values } from '../station.ts'
import { countryOf } from './countries.ts'
import { eachValue, FIELDS, namesOfKind, rules, type Rule } from './rule.ts'
import { isPlaceholder, isShortenedNumber } from './parse-text.ts'

const SITE_TEXTS = namesOfKind('site', 'text', 'email', 'url')
const OPTIONAL_TEXTS = SITE_TEXTS.filter((name) => !FIELDS.site[name]?.required)

/** Codes of states and provinces that elsewhere mean "unknown": North and South Dakota, Napoli, Karnataka. */
const STATE_CODES: Readonly<Record<string, readonly string[]>> = {
  USA: ['ND', 'SD'],
  ITA: ['NA'],
  IND: ['KA'],
}

// Control characters, direction marks, byte order marks, and other invisible characters.
// oxlint-disable-next-line no-control-regex
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060\ufeff]+/g

const cleaned = (value: unknown): unknown => {
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (text !== '' && isInvisible(text)) return ''
  const clean = text
    .toWellFormed()
    .replace(/<br\s*\/?>|<\/p>|\r?\n/gi, ', ')
    .replace(/<\/?[a-z][^<>]{0,200}>/gi, ' ')
    .replace(/&#?\w{2,31};/g, (entity) => decodeHTMLStrict(entity))
    .replace(INVISIBLE, ' ')
    .replace(/\s{2,}/g, ' ')
    .replace(/(?:\s*,){2,}/g, ',')
    .replace(/^[\s,]+|[\s,]+$/g, '')
  return clean === text.replace(/^,+|,+$/g, '') ? value : clean
}

const emailIn = (value: unknown): unknown => {
  const text = textOf(value)
  if (text === '' || isEmail(text)) return value
  const found = text
    .replaceAll(/mailto:/gi, ' ')
    .split(/[\s,;<>()[\]"|/]+|\?subject=/i)
    .find((part) => isEmail(part))
  return found ?? value
}

const phoneIn = (value: unknown): unknown => {
  const text = textOf(value)
  const phone = text
    .replace(/^(?:tel|phone|téléphone|telefon|teléfono|fon)\s*[.:]\s*/i, '')
    .replace(/^tel:\/*/i, '')
    .split(/\s*(?:;|\||\/\/|,(?=\s*\+))\s*/)[0]
  return phone === undefined || phone === text ? value : phone
}

const urlIn = (value: unknown): unknown => {
  const text = textOf(value)
  const found = /https?:\/\/[^\s<>"']+/i.exec(text)?.[0]
  return found === undefined || found === text ? value : found
}

const MAX_REFERENCE = sites.fields.reference.max

/** A shorter ID that is as unique as the long one, and the same in every import. */
const shortId = (id: string): string =>
  `${Array.from(id)
    .slice(0, MAX_REFERENCE - 13)
    .join('')}~${createHash('sha256').update(id).digest('hex').slice(0, 12)}`

const shortReference = eachValue(['reference', 'evse'], (value) => {
  const text = textOf(value)
  return Array.from(text).length > MAX_REFERENCE ? shortId(text) : value
})

const nameFromAddress: Rule['apply'] = (values) => {
  if (textOf(values['name']) !== '') return {}
  const street = textOf(values['address']) || textOf(values['city'])
  const name = Array.from(street || textOf(values['reference']))
    .slice(0, sites.fields.name.max)
    .join('')
  return name === '' ? {} : { name }
}

const addressFromParts: Rule['apply'] = (values) => {
  if (textOf(values['address']) !== '') return {}
  const town = `${textOf(values['postal_code'])} ${textOf(values['city'])}`.trim()
  const parts = [town, textOf(values['state'])].filter((part) => part !== '')
  if (parts.length > 0) return { address: parts.join(', ') }
  const position = [textOf(values['latitude']), textOf(values['longitude'])]
  return textOf(values['name']) === '' || position.includes('')
    ? {}
    : { address: position.join(', ') }
}

const shortened = (values: Values): Values => {
  const changed: Record<string, string> = {}
  for (const name of SITE_TEXTS) {
    const field = FIELDS.site[name]
    const letters = Array.from(textOf(values[name]))
    if (field?.kind !== 'text' || field.format || name === 'reference') continue
    if (letters.length > field.max)
      changed[name] = `${letters
        .slice(0, field.max - 1)
        .join('')
        .trimEnd()}…`
  }
  return changed
}

const timeZoneSpelling = eachValue(['time_zone'], (value) => {
  const text = textOf(value)
  if (text === '' || isKnownZone(text)) return value
  const candidate = text.replace(/\s+/g, '_').replace(/\\/g, '/')
  return ZONES_BY_NAME.get(candidate.toLowerCase()) ?? value
})

const ZONES_BY_NAME: ReadonlyMap<string, string> = new Map(
  Intl.supportedValuesOf('timeZone').map((zone) => [zone.toLowerCase(), zone]),
)

/** Whether a text is a time zone named after a place. An offset does not define daylight saving time. */
const isKnownZone = (text: string): boolean =>
  sites.fields.time_zone.format.pattern.test(text) &&
  text.includes('/') &&
  !text.startsWith('Etc/') &&
  isTimeZone(text)

const evseIdSpelling = eachValue(['evse_id'], (value) => {
  const { pattern } = connectors.fields.evse_id.format
  const text = textOf(value)
  if (text === '' || pattern.test(text)) return value
  const [first = ''] = text.split(/\s*[;,|]\s*/)
  // Many feeds use a UUID here, and one in a hundred looks like an ID with a country code.
  if (/^[0-9a-f-]{30,}$/i.test(first)) return value
  const id = first
    .replace(/^\+?49\*/, 'DE*')
    .replace(/[\s\-_./]+/g, '*')
    .toUpperCase()
  return pattern.test(id) && id.length <= connectors.fields.evse_id.max ? id : value
})

/** The rules for texts, to be applied before those for the position. */
export const TEXT_RULES = rules('site', [
  {
    name: 'text_cleaned',
    example: {
      before: { name: 'Town\u00a0 hall<br>South &amp; North' },
      after: { name: 'Town hall, South & North' },
    },
    apply: eachValue(SITE_TEXTS, cleaned),
  },
  {
    name: 'placeholder_removed',
    example: { before: { postal_code: 'N/A', city: '-' }, after: { postal_code: '', city: '' } },
    apply: eachValue(
      [...OPTIONAL_TEXTS, 'name', 'address', 'opening_hours'],
      (value, name, { country }) => {
        if (typeof value !== 'string') return value
        if (name === 'state' && STATE_CODES[countryOf(textOf(country)) ?? '']?.includes(value))
          return value
        if (name === 'contact_phone' && isShortenedNumber(value)) return ''
        return isPlaceholder(value) || (name === 'postal_code' && /^0+$/.test(value)) ? '' : value
      },
    ),
  },
  {
    name: 'country_code',
    example: { before: { country: 'Deutschland' }, after: { country: 'DEU' } },
    apply: eachValue(['country'], (value) => countryOf(textOf(value)) ?? value),
  },
  {
    name: 'time_zone_spelling',
    example: {
      before: { time_zone: 'Asia/Kuala Lumpur' },
      after: { time_zone: 'Asia/Kuala_Lumpur' },
    },
    apply: timeZoneSpelling,
  },
  {
    name: 'time_zone_removed',
    example: { before: { time_zone: 'GMT+2' }, after: { time_zone: '' } },
    apply: eachValue(['time_zone'], (value) => (isKnownZone(textOf(value)) ? value : '')),
  },
  {
    name: 'email_cleaned',
    example: {
      before: { contact_email: 'Help <mailto:help@example.org>' },
      after: { contact_email: 'help@example.org' },
    },
    apply: eachValue(['contact_email'], emailIn),
  },
  {
    name: 'email_removed',
    example: { before: { contact_email: 'see website' }, after: { contact_email: '' } },
    apply: eachValue(['contact_email'], (value) => {
      const text = textOf(value)
      return text === '' || (isEmail(text) && text.length <= sites.fields.contact_email.max)
        ? value
        : ''
    }),
  },
  {
    name: 'phone_cleaned',
    example: {
      before: { contact_phone: 'tel:+33-1-76-31-06-84' },
      after: { contact_phone: '+33-1-76-31-06-84' },
    },
    apply: eachValue(['contact_phone'], phoneIn),
  },
  {
    name: 'url_cleaned',
    on: 'tariff',
    example: {
      before: { url: 'see https://example.org/prices' },
      after: { url: 'https://example.org/prices' },
    },
    apply: eachValue(['url'], urlIn),
  },
  {
    name: 'reference_shortened',
    example: {
      before: { reference: 'x'.repeat(80) },
      after: { reference: shortId('x'.repeat(80)) },
    },
    apply: shortReference,
  },
])

/** The rules for texts that need the position or the power. */
export const LATER_TEXT_RULES = rules('site', [
  {
    name: 'name_from_address',
    example: { before: { address: 'Market Square 1' }, after: { name: 'Market Square 1' } },
    apply: nameFromAddress,
  },
  {
    name: 'address_from_parts',
    example: {
      before: { postal_code: '50667', city: 'Köln' },
      after: { address: '50667 Köln' },
    },
    apply: addressFromParts,
  },
  {
    name: 'text_shortened',
    isCertain: false,
    example: {
      before: { name: 'x'.repeat(201) },
      after: { name: `${'x'.repeat(199)}…` },
    },
    apply: shortened,
  },
])

export const CONNECTOR_TEXT_RULES = rules('connector', [
  {
    name: 'evse_id_spelling',
    example: { before: { evse_id: 'fr-abc-e123' }, after: { evse_id: 'FR*ABC*E123' } },
    apply: evseIdSpelling,
  },
  {
    name: 'reference_shortened',
    example: {
      before: { evse: 'y'.repeat(80) },
      after: { evse: shortId('y'.repeat(80)) },
    },
    apply: shortReference,
  },
  {
    name: 'duplicate_reference',
    example: {
      before: { reference: '1:1' },
      after: { reference: undefined },
      connectorsBefore: [{ reference: '1:1' }],
    },
    apply: (values, { before }) => {
      const reference = textOf(values['reference'])
      const isTaken =
        reference !== '' && before.some((other) => textOf(other['reference']) === reference)
      return isTaken ? { reference: undefined } : {}
    },
  },
])
