import { createReadStream } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'

import { isEmail } from '#domain/schema.ts'

/** A charge point of the French register (IRVE schema): every value is text or null. */
type ChargePoint = Readonly<Record<string, string | null | undefined>>

/** The data of one operator in a register. */
export interface Operator {
  readonly name: string
  /** A file with its charge points. */
  readonly file: string
  /** The first email in the data; empty if there is none. */
  readonly email: string
  /** Number of charge points without a plug, or only with plugs that the register has no field for. */
  readonly withoutPlug: number
}

/** Lines that are buffered before they are written. */
const MAX_KEPT_LINES = 200

/**
 * Splits a file of the register, with one JSON object per line, gzipped or not, into one file per operator.
 * @param only the name of a single operator; absent: all of them
 * @throws if a line is not a JSON object
 */
export const splitRegister = async (
  file: string,
  folder: string,
  only?: string,
): Promise<readonly Operator[]> => {
  const found = new Map<
    string,
    Operator & { email: string; withoutPlug: number; lines: string[] }
  >()
  for await (const line of readLines(file)) {
    if (line.trim() === '') continue
    const point = JSON.parse(line) as ChargePoint
    const name = point['nom_operateur']?.trim() ?? ''
    if (name === '' || (only !== undefined && name !== only)) continue
    let operator = found.get(name)
    if (operator === undefined) {
      const own = join(folder, `${found.size}.jsonl`)
      operator = { name, file: own, email: '', withoutPlug: 0, lines: [] }
      found.set(name, operator)
    }
    const email = point['contact_operateur']?.trim() ?? ''
    if (operator.email === '' && isEmail(email)) operator.email = email
    if (!PLUGS.some((plug) => /^true$/i.test(point[plug] ?? ''))) operator.withoutPlug += 1
    if (operator.lines.push(line) < MAX_KEPT_LINES) continue
    await appendFile(operator.file, operator.lines.splice(0).join('\n') + '\n')
  }
  for (const { file: own, lines } of found.values()) await appendFile(own, lines.join('\n'))
  return [...found.values()]
}

/** The fields of the register for plugs. */
const PLUGS = ['prise_type_ef', 'prise_type_2', 'prise_type_combo_ccs', 'prise_type_chademo']

const readLines = (file: string): AsyncIterable<string> => {
  const raw = createReadStream(file)
  const lines = createInterface({ input: file.endsWith('.gz') ? raw.pipe(createGunzip()) : raw })
  // Readline does not forward errors of its input stream.
  raw.on('error', (error) => lines.emit('error', error))
  return lines
}
