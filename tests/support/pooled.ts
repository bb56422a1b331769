import { needProgram } from '../../scripts/testing/programs.ts'
import { startPooler } from './pooler.ts'

/** The address of the pooler, with `DATABASE` for the name of the database. */
export const POOLER = 'VOLTLEAF_TEST_POOLER'

/**
 * Starts the PgBouncer in transaction mode that all tests of a run share, after the PostgreSQL behind it.
 * @returns a function that stops it at the end of the run
 */
const setUp = async (): Promise<() => Promise<void>> => {
  const pooler = await startPooler('transaction', 20, { program: needProgram('pgbouncer-1.24') })
  process.env[POOLER] = pooler.url('DATABASE')
  return () => pooler.close()
}
export default setUp
