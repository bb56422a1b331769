import { writeFile } from 'node:fs/promises'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { onOneLine, type Outcome } from './runners.ts'

/** Vitest constructs reporters with the options of its configuration. */
export default function CountingReporter(): Reporter {
  return {
    async onTestRunEnd(modules, unhandledErrors) {
      const file = process.env['VOLTLEAF_REPORT']
      if (file === undefined) throw new Error('VOLTLEAF_REPORT has to name the file of the report')
      await writeFile(file, JSON.stringify(countVitest(modules, unhandledErrors)))
    },
  }
}

/**
 * The result of a Vitest run. A test that was skipped or is a todo counts as failed, and so do a module that fails to
 * load and an unhandled error.
 */
export const countVitest = (
  modules: readonly TestModule[],
  unhandledErrors: readonly { readonly message: string; readonly stack?: string }[],
): Outcome => {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const bad = tests.filter((test) => test.result().state !== 'passed')
  const complaints = [
    ...bad.map(nameOf),
    ...modules.flatMap((module) =>
      module.errors().map(({ message }) => `${module.moduleId}: ${message}`),
    ),
    ...unhandledErrors.map(({ message, stack }) => `nobody waited for: ${stack ?? message}`),
  ]
  return { passed: tests.length - bad.length, failed: complaints.length, complaints }
}

/**
 * The name of a test, with its error and location on the same line: the details are far above, if they are still
 * available at all.
 */
const nameOf = (test: TestCase): string => {
  const { state, errors = [] } = test.result()
  const name = `${test.module.relativeModuleId} > ${test.fullName} (${state})`
  const [error] = errors
  if (error === undefined) return name
  const lines = error.stacks?.filter(({ file }) => file === test.module.moduleId) ?? []
  const place = lines.map(({ line }) => `, line ${line}`).join('')
  // The message abbreviates what was compared ("[ Array(1) ]"); the difference has it.
  const reason = [error.message, error.diff ?? ''].map(stripVTControlCharacters).join('\n')
  return `${name}: ${onOneLine(reason)}${place}`
}
