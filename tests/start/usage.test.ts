import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { root } from '../../scripts/process.ts'

test.each(['seed', 'import', 'superuser', 'backup', 'restore', 'files:move'])(
  '%s --help prints the usage and succeeds',
  async (command) => {
    const { stdout, stderr } = await promisify(execFile)(
      'npm',
      ['run', '--silent', command, '--', '--help'],
      { cwd: root, env: { PATH: process.env['PATH'] } },
    )
    expect(stdout).toMatch(`Use: npm run ${command} -- `)
    expect(stderr).toBe('')
  },
)
