import { describe, expect, it } from 'vitest'

import { makeBusiness, makeConnector, makeSite } from '../../../tests/support/make.ts'
import type { BusinessView, ImportRowView, Problem } from '../../data/state.ts'
import { loadMessages } from '../../messages/messages.ts'
import { writeReport } from './report.ts'

const AREAS = [
  'core',
  'owner',
  'form',
  'choices',
  'hours',
  'traveller',
  'tariffs',
  'imports',
] as const

const BLANK: ImportRowView = {
  id: 'r',
  import: 'i',
  number: 1,
  position: 'line 2',
  reference: '',
  name: '',
  action: 'NEW',
  included: true,
  matched_by: '',
  doubtful: false,
  candidates: null,
  duplicates: null,
  site: '',
  connectors: 1,
  new_connectors: 1,
  missing_connectors: 0,
  changes: null,
  prices: null,
  repaired: false,
  repairs: null,
  open_questions: 0,
  questions: null,
  problem: null,
  state: 'APPLIED',
}

const row = (number: number, more: Partial<ImportRowView>): ImportRowView => ({
  ...BLANK,
  number,
  position: `line ${number + 1}`,
  ...more,
})

/** Returns rows page by page, as the server does. */
const paged = (rows: readonly ImportRowView[], perPage: number) => ({
  rows: ({ after }: { readonly after: number }) => {
    const items = rows.filter(({ number }) => number > after).slice(0, perPage)
    return Promise.resolve({ value: { items, isLast: items.length < perPage } })
  },
})

const quay = { ...makeSite('quay'), photos: [], connectors: [makeConnector('left', 'quay')] }
const data: BusinessView = { ...makeBusiness(), fileSrc: '', sites: [quay], records: {} }

const reportIn = async (locale: 'en' | 'fr', rows: readonly ImportRowView[], perPage = 100) => {
  const messages = await loadMessages(locale, AREAS)
  const counts: number[] = []
  const { value = '' } = await writeReport(
    paged(rows, perPage),
    { id: 'i', missing: 'KEEP' },
    { messages, locale, data },
    (count) => counts.push(count),
  )
  return { text: value, lines: value.trimEnd().split('\r\n'), counts }
}

describe('writeReport', () => {
  it('has a line for each row of each page', async () => {
    const rows = Array.from({ length: 7 }, (_, index) => row(index + 1, { name: `Site ${index}` }))
    const { lines, counts } = await reportIn('en', rows, 3)
    expect(lines).toHaveLength(8)
    expect(lines[7]).toContain('"line 8","","Site 6","New","Imported"')
    expect(counts).toEqual([3, 6])
  })

  it('describes the plan and the outcome in the language of the page', async () => {
    const { text } = await reportIn('fr', [
      row(1, {
        action: 'REFUSED',
        state: '',
        included: false,
        problem: { code: 'position_at_sea', params: { stated: 'ESP' } },
      }),
      row(2, { state: 'PENDING', included: false }),
      row(3, {
        action: 'CHANGED',
        site: 'quay',
        matched_by: 'REFERENCE',
        changes: [
          { record: 'quay', field: 'vehicle_capacity', before: 0, after: 4 },
          { record: 'left', field: 'kw_rating', before: 50, after: 150.5 },
        ],
        repairs: [
          { rule: 'power_in_watts', field: 'connectors[0].kw_rating', before: 22_000, after: 22 },
          { rule: 'power_in_watts', field: 'connectors[1].kw_rating', before: 22_000, after: 22 },
        ],
      }),
    ])
    expect(text.slice('\uFEFF'.length)).toMatchInlineSnapshot(`
      ""Place dans le fichier";"Votre référence";"Nom du site";"Aperçu";"Résultat";"Raison";"Correspondance";"ID";"Modifications";"Corrigé";"À vérifier"
      "ligne 2";"";"";"Non importable";"";"La position est en mer, mais « Espagne » est indiqué comme pays.";"";"";"";"";""
      "ligne 3";"";"";"Nouveau";"Laissé de côté";"";"";"";"";"";""
      "ligne 4";"";"";"Modifié";"Importé";"";"Reconnu par son identifiant";"quay";"Véhicules à la fois : 0 → 4
      Type 2, 22 kW : Puissance en kW : 50 kW → 150,5 kW";"La puissance était en W au lieu de kW. 2 connecteurs : Puissance en kW : 22 000 kW → 22 kW";""
      "
    `)
  })

  it('names a connector that is left out by what is known of it', async () => {
    const repair = { rule: 'connector_left_out', after: null } as const
    const { lines } = await reportIn('en', [
      row(1, {
        repairs: [
          { ...repair, field: 'connectors[0]', before: { standard: 'Plug Z', format: 'SOCKET' } },
          { ...repair, field: 'connectors[1]', before: { watt: 1 } },
        ],
      }),
    ])
    expect(lines.join()).toContain('Connector 1: Plug Z → not imported')
    expect(lines.join()).toContain('Connector 2: {""watt"":1} → not imported')
  })

  it('contains the answer to a question', async () => {
    const question = {
      rule: 'coordinates_sign',
      field: 'longitude',
      before: 6.65,
      after: -6.65,
    } as const
    const { lines } = await reportIn('en', [
      row(1, { questions: [{ ...question, answer: true }] }),
      row(2, { state: 'PENDING', open_questions: 1, doubtful: true, questions: [question] }),
    ])
    expect(lines[1]).toContain('Yes, correct it')
    expect(lines[2]).toContain('"Needs an answer"')
    expect(lines[2]).not.toContain('Yes, correct it')
  })

  it('has no cell that is a formula', async () => {
    const { lines } = await reportIn('en', [row(1, { name: '=1+1', reference: '@x' })])
    expect(lines[1]).toContain(`"'@x","'=1+1"`)
  })

  it('returns the problem if a page cannot be read', async () => {
    const messages = await loadMessages('en', AREAS)
    const problem: Problem = { kind: 'offline', status: 0, fields: {} }
    const calls = { rows: () => Promise.resolve({ problem }) }
    const vocabulary = { messages, locale: 'en', data }
    const answer = await writeReport(calls, { id: 'i', missing: 'KEEP' }, vocabulary, () => {})
    expect(answer).toEqual({ problem })
  })

  it('keeps codes of a newer server', async () => {
    const { lines } = await reportIn('en', [
      row(1, { problem: { code: 'from_a_newer_server' as 'source_empty' } }),
    ])
    expect(lines[1]).toContain('"from_a_newer_server"')
  })
})
