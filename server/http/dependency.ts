/** The dependency that an error comes from, if known. */
export const dependencyOf = (error: unknown): 'database' | 'files' | undefined => {
  if (!(error instanceof Error)) return undefined
  const { code, syscall, severity } = error as Error & Readonly<Record<string, unknown>>
  if (error.name === 'DependencyError') return 'files'
  if (typeof code !== 'string') return dependencyOf(error.cause)
  if (typeof severity === 'string') return TROUBLE.test(code) ? 'database' : undefined
  if (code.startsWith('CONNECT') || syscall === 'connect') return 'database'
  if (typeof syscall === 'string' && !/^(read|ECONN)/.test(code)) return 'files'
  return dependencyOf(error.cause)
}

/** Codes of PostgreSQL that are not the fault of the statement. */
const TROUBLE = /^(08|53|57|58|XX|25006)/
