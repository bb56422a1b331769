import { writeFile } from 'node:fs/promises'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type { Outcome } from './runners.ts'

/** How Vitest calls whoever wants to know of a run: `new`, with the options of its configuration. */
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
 * What a run of Vitest found. A test that was skipped or left as a note counts as failed, and so
 * does a module that could not be read and an error that no test was waiting for.
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

const nameOf = (test: TestCase): string =>
  `${test.module.relativeModuleId} > ${test.fullName} (${test.result().state})`
