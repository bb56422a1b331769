/*
 * Mends the queue of the PostgreSQL driver after every installation: see
 * docs/decisions/0031-a-driver-that-is-mended.md. Plain JavaScript, because npm runs it before anything
 * of the project can.
 */
import { readFileSync, writeFileSync } from 'fs'
import { dirname, join } from 'path'
import { fileURLToPath } from 'url'

/** What stands in the driver, and what has to. */
const MENDS = [
  // What was taken from the front is no longer in the queue, and need not be looked through.
  ['const index = xs.indexOf(x)\n', 'const at = xs.indexOf(x, index)\n'],
  ['return index === -1\n', 'return at === -1\n'],
  ['(xs.splice(index, 1), x)', '(xs.splice(at, 1), x)'],
  // Nor kept: a queue that never runs empty would grow with every statement.
  [
    'xs[index - 1] = undefined\n',
    'xs[index - 1] = undefined\n        if (index > 64 && index * 2 > xs.length) {\n          xs = xs.slice(index)\n          index = 0\n        }\n',
  ],
]

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const file = join(root, 'node_modules/postgres/src/queue.js')
const text = readFileSync(file, 'utf8')
if (MENDS.some(([, mended]) => !text.includes(mended))) {
  if (!MENDS.every(([broken]) => text.includes(broken))) {
    console.error(
      `${file} is not what it was: see whether the driver has mended its queue itself, and scripts/mend-driver.js can go.`,
    )
    process.exit(1)
  }
  writeFileSync(
    file,
    MENDS.reduce((mended, [from, to]) => mended.replace(from, () => to), text),
  )
}
