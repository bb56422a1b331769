/*
 * Mends the PostgreSQL driver after every installation: see
 * docs/decisions/0031-a-driver-that-is-mended.md. Plain JavaScript, because npm runs it before anything
 * of the project can.
 */
import { readFileSync, writeFileSync } from 'fs'
import { dirname, join } from 'path'
import { fileURLToPath } from 'url'

/** By file of the driver: what stands in it, and what has to. */
const MENDS = {
  'queue.js': [
    // What was taken from the front is no longer in the queue, and need not be looked through.
    ['const index = xs.indexOf(x)\n', 'const at = xs.indexOf(x, index)\n'],
    ['return index === -1\n', 'return at === -1\n'],
    ['(xs.splice(index, 1), x)', '(xs.splice(at, 1), x)'],
    // Nor kept: a queue that never runs empty would grow with every statement.
    [
      'xs[index - 1] = undefined\n',
      'xs[index - 1] = undefined\n        if (index > 64 && index * 2 > xs.length) {\n          xs = xs.slice(index)\n          index = 0\n        }\n',
    ],
  ],
  'connection.js': [
    // A transaction may send its last word on a connection that has just been lost: whoever waits for the
    // answer is told so, instead of the process ending with an error that nobody can catch.
    [
      'function nextWrite(fn) {\n    const x',
      "function nextWrite(fn) {\n    if (socket === null) {\n      chunk = nextWriteTimer = null\n      error(Errors.connection('CONNECTION_CLOSED', options))\n      return true\n    }\n    const x",
    ],
  ],
}

const root = dirname(dirname(fileURLToPath(import.meta.url)))
for (const [name, mends] of Object.entries(MENDS)) {
  const file = join(root, 'node_modules/postgres/src', name)
  const text = readFileSync(file, 'utf8')
  if (mends.every(([, mended]) => text.includes(mended))) continue
  if (!mends.every(([broken]) => text.includes(broken))) {
    console.error(
      `${file} is not what it was: see whether the driver has mended it itself, and scripts/mend-driver.js can go.`,
    )
    process.exit(1)
  }
  writeFileSync(
    file,
    mends.reduce((mended, [from, to]) => mended.replace(from, () => to), text),
  )
}
