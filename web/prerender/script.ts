import { dirname } from 'node:path'

import { build, type Rolldown } from 'vite'

/** Builds the inline script of a page, as an IIFE, so that it leaves no globals. */
export const buildScript = async (input: string): Promise<string> => {
  const { output } = (await build({
    configFile: false,
    root: dirname(input),
    logLevel: 'silent',
    build: {
      write: false,
      target: 'es2024',
      modulePreload: { polyfill: false },
      rolldownOptions: { input, output: { format: 'iife' } },
    },
  })) as Rolldown.RolldownOutput
  return output[0].code.trim()
}
