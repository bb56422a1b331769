import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'

import { root } from '../../scripts/process.ts'
import { needProgram } from '../../scripts/testing/programs.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { startStack } from '../support/stack.ts'

const deploy = join(root, 'deploy')

/** Runs promtool, which must report no problem. */
const promtool = (args: readonly string[], input = ''): void => {
  const { status, stdout, stderr } = spawnSync(needProgram('promtool'), args, { input })
  const said = stdout.toString() + stderr.toString()
  expect([status, status === 0 ? '' : said]).toEqual([0, ''])
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'voltleaf-promtool-'))
  for (const file of ['alerts.yaml', 'prometheus.yaml'])
    await cp(join(deploy, file), join(folder, file))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('promtool accepts the metrics', async () => {
  const stack = await startStack()
  try {
    const { client, site } = await newOwnerWithSite(stack.url)
    await client.collection('sites').update(site.id, { cost: 'Free' })
    await fetch(`${stack.url}/api/nothing`)
    const input = await (await fetch(`${stack.url}/metrics`)).text()
    expect(input).toContain('# TYPE')
    promtool(['check', 'metrics'], input)
  } finally {
    await stack.close()
  }
})

test('promtool accepts the configuration of Prometheus, the alerts, and every expression of the Grafana dashboard', async () => {
  promtool(['check', 'config', '--syntax-only', join(folder, 'prometheus.yaml')])
  promtool(['check', 'rules', join(folder, 'alerts.yaml')])
  const { panels } = JSON.parse(readFileSync(join(deploy, 'grafana.json'), 'utf8')) as {
    panels: { targets: { expr: string }[] }[]
  }
  const rules = panels
    .flatMap(({ targets }) => targets)
    .map(({ expr }, index) => ({
      record: `board:expression_${index}`,
      expr: expr.replaceAll('$__rate_interval', '1m'),
    }))
  expect(rules.length).toBeGreaterThan(20)
  const file = join(folder, 'board.yaml')
  await writeFile(file, JSON.stringify({ groups: [{ name: 'board', rules }] }))
  promtool(['check', 'rules', file])
})

const ONE = 'job="voltleaf",instance="a"'
/** Samples, one per minute: values that must raise the alert, and the same series when all is well. */
const TROUBLES: Readonly<Record<string, readonly [series: string, ill: string, well: string]>> = {
  VoltleafDown: [`up{${ONE}}`, '0x90', '1x90'],
  VoltleafRestarts: [`process_start_time_seconds{${ONE}}`, '0+10x90', '5x90'],
  VoltleafDatabaseDown: [`voltleaf_database_up{${ONE}}`, '0x90', '1x90'],
  VoltleafDatabaseSlow: [`voltleaf_database_wait_seconds{${ONE}}`, '0.6x90', '0.4x90'],
  VoltleafReplicaUnused: [`voltleaf_replica_usable{${ONE},replica="b"}`, '0x90', '1x90'],
  VoltleafErrors: [`voltleaf_http_requests_total{${ONE},status="5xx"}`, '0+10x90', '0x90'],
  VoltleafSlow: [
    `voltleaf_http_request_seconds_bucket{${ONE},method="GET",le="1"}`,
    '0+50x90',
    '0+100x90',
  ],
  VoltleafOverloaded: [`voltleaf_http_overload_total{${ONE},reason="working"}`, '0+1x90', '0x90'],
  VoltleafLimiting: [`voltleaf_http_limited_total{${ONE},limit="sign-in"}`, '0+90x90', '0+30x90'],
  VoltleafStalls: [`voltleaf_http_stalled_total{${ONE}}`, '0+20x90', '0+5x90'],
  VoltleafDependencyFails: [
    `voltleaf_failures_total{${ONE},boundary="mail"}`,
    '0+1x90',
    '0+1x2 2x88',
  ],
  VoltleafImagesWait: [`voltleaf_image_jobs{${ONE},state="waiting"}`, '30x90', '10x90'],
  VoltleafMailsWait: [`voltleaf_mail_queue{${ONE}}`, '60x90', '10x90'],
  VoltleafEventLoopLags: [
    `voltleaf_event_loop_lag_seconds{${ONE},quantile="0.99"}`,
    '0.6x90',
    '0.1x90',
  ],
  VoltleafMemory: [`process_resident_memory_bytes{${ONE}}`, '2000000000x90', '200000000x90'],
  VoltleafUncaughtErrors: [`voltleaf_uncaught_errors_total{${ONE}}`, '0x80 1x10', '1x90'],
  VoltleafOrphans: [`voltleaf_orphans_total{${ONE}}`, '0+1x90', '3x90'],
}
/** The rest of the series, of which the values above are a part. */
const REST = [
  [`voltleaf_http_requests_total{${ONE},status="2xx"}`, '0+100x90'],
  [`voltleaf_http_request_seconds_bucket{${ONE},method="GET",le="2.5"}`, '0+100x90'],
  [`voltleaf_http_request_seconds_bucket{${ONE},method="GET",le="+Inf"}`, '0+100x90'],
]

test('each alert is raised by its own values only', async () => {
  const { groups } = parse(readFileSync(join(deploy, 'alerts.yaml'), 'utf8')) as {
    groups: { rules: { alert: string }[] }[]
  }
  const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))
  expect(Object.keys(TROUBLES)).toEqual(alerts)
  const scene = (trouble?: string) => ({
    interval: '1m',
    input_series: [
      ...REST,
      ...Object.entries(TROUBLES).map(([alert, [series, ill, well]]) => [
        series,
        alert === trouble ? ill : well,
      ]),
    ].map(([series, values]) => ({ series, values })),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: '90m',
        exp_samples:
          trouble === undefined ? [] : [{ labels: `{alertname="${trouble}"}`, value: 1 }],
      },
    ],
  })
  const tests = [scene(), ...alerts.map((alert) => scene(alert))]
  const file = join(folder, 'tests.yaml')
  const rules = ['alerts.yaml']
  await writeFile(file, JSON.stringify({ rule_files: rules, evaluation_interval: '1m', tests }))
  promtool(['test', 'rules', file])
})
