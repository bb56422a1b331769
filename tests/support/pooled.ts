import { needProgram } from '../../scripts/testing/programs.ts'
import { startPooler } from './pooler.ts'

/** The environment variable with the URL of the pooler; `DATABASE` stands for the database. */
export const POOLER = 'VOLTLEAF_TEST_POOLER'

/**
 * Starts the PgBouncer in transaction mode that all tests of a run share, after its PostgreSQL.
 * @returns a function that stops it at the end of the run
 */
const setUp = async (): Promise<() => Promise<void>> => {
  const pooler = await startPooler('transaction', 20, { program: needProgram('pgbouncer-1.24') })
  process.env[POOLER] = pooler.url('DATABASE')
  return () => pooler.close()
}
export default setUp
