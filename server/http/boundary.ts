/** What failed outside of this process, as far as an error tells. */
export const boundaryOf = (error: unknown): 'database' | 'files' | undefined => {
  if (!(error instanceof Error)) return undefined
  const { code, syscall, severity } = error as Error & Readonly<Record<string, unknown>>
  if (error.name === 'Unavailable') return 'files'
  if (typeof code !== 'string') return boundaryOf(error.cause)
  if (typeof severity === 'string') return TROUBLE.test(code) ? 'database' : undefined
  if (code.startsWith('CONNECT') || syscall === 'connect') return 'database'
  if (typeof syscall === 'string' && !/^(read|ECONN)/.test(code)) return 'files'
  return boundaryOf(error.cause)
}

/** Codes of PostgreSQL that are no fault of what it was asked. */
const TROUBLE = /^(08|53|57|58|XX|25006)/
