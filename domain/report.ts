import { AUTODATES, REPORTS, SITES, type Collection } from './collection.ts'
import type { ValueField } from './field.ts'

/** The problems that a traveller can report. */
export const REPORT_REASONS = [
  'NOT_WORKING',
  'NO_ACCESS',
  'STATUS_WRONG',
  'PLACE_WRONG',
  'PLUG_WRONG',
  'PRICE_WRONG',
  'HOURS_WRONG',
] as const
export type ReportReason = (typeof REPORT_REASONS)[number]

/** `OPEN` until the owner has answered or resolved it. */
const REPORT_STATES = ['OPEN', 'ANSWERED', 'RESOLVED'] as const
export type ReportState = (typeof REPORT_STATES)[number]

/** Free text: line breaks are allowed, other control characters are not. */
const LINES = {
  hasLines: true,
  format: { pattern: /^(?:\P{Cc}|\n)*$/u, example: 'The cable does not come off.' },
} as const

/**
 * A traveller's report about a site. Travellers have no account: the server writes the record
 * (`POST /api/public/sites/{id}/reports`), and stores their address separately (decision 0094).
 */
export const reports = {
  id: 'pbc_1615648943',
  name: REPORTS,
  owner: 'site.business.user',
  access: { read: 'owner', create: 'nobody', change: 'owner', remove: 'nobody' },
  audited: false,
  fields: {
    site: { kind: 'relation', to: SITES, required: true, fixed: true },
    reason: { kind: 'select', values: REPORT_REASONS, required: true, managed: true },
    message: { kind: 'text', max: 500, ...LINES, managed: true },
    /** The traveller has left an address: the answer is mailed to it, once. */
    wants_answer: { kind: 'bool', managed: true },
    /** When the traveller sent it. */
    received: { kind: 'date', managed: true },
    state: { kind: 'select', values: REPORT_STATES, default: 'OPEN', required: true },
    answer: { kind: 'text', max: 1000, ...LINES },
    ...AUTODATES,
  },
} as const satisfies Collection

/** The fields that a traveller sends. */
export const REPORT_INPUT = {
  reason: reports.fields.reason,
  message: reports.fields.message,
  email: { kind: 'email', max: 254 },
} as const satisfies Readonly<Record<string, ValueField>>
export type ReportInput = Readonly<Record<keyof typeof REPORT_INPUT, string>>
