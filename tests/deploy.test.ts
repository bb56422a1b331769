import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'

import { IMPORT_LIMITS, MiB } from '#domain/limits.ts'
import { SERVICE_API } from '#domain/paths.ts'

import { root } from '../scripts/process.ts'
import { readConfig } from '../server/config.ts'
import { LIMITS } from '../server/limits.ts'

// The files in deploy/ agree with the server and with each other. `npm run proof -- deploy image` validates them with
// the programs that read them.

const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const yaml = (file: string): Kubernetes[] =>
  parseAllDocuments(read(file), { merge: true }).map((document) => document.toJS() as Kubernetes)

interface Container {
  readonly startupProbe: { readonly periodSeconds: number; readonly failureThreshold: number }
  readonly livenessProbe: { readonly httpGet: { readonly path: string } }
  readonly readinessProbe: { readonly httpGet: { readonly path: string } }
}
interface Kubernetes {
  readonly kind: string
  readonly metadata: { readonly annotations?: Record<string, string> }
  readonly data?: Record<string, string>
  readonly stringData?: Record<string, string>
  readonly spec?: {
    readonly template: {
      readonly spec: {
        readonly terminationGracePeriodSeconds: number
        readonly containers: readonly Container[]
        readonly volumes: readonly {
          readonly name: string
          readonly emptyDir: { readonly sizeLimit: string }
        }[]
      }
    }
  }
}
interface Service {
  readonly build?: object
  readonly logging: { readonly driver: string }
  readonly environment: Record<string, string>
  readonly stop_grace_period: string
  readonly volumes: readonly string[]
}

/** Every setting of the server, and the variables that only an image or Node reads. */
const SETTINGS = new Set([
  ...[...read('.env.example').matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name),
  'NODE_EXTRA_CA_CERTS',
])
const unknown = (names: readonly string[]): string[] => names.filter((name) => !SETTINGS.has(name))

const drainS = LIMITS.drainMs / 1000

test('the image runs as a numeric user, checks its health, and names settings that exist', () => {
  const text =
    read('Dockerfile')
      .split(/^FROM /m)
      .at(-1) ?? ''
  expect(text).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m)
  expect(text).toMatch(/^HEALTHCHECK .* CMD \["node", "scripts\/healthy.ts"\]$/m)
  expect(text).not.toMatch(/^RUN/m)
  const set = [...text.matchAll(/\b([A-Z_]+)=/g)].map(([, name = '']) => name)
  expect(unknown(set)).toEqual(['PATH'])
})

describe('compose.yaml', () => {
  const [compose] = yaml('deploy/compose.yaml') as unknown as [
    { services: Record<string, Service>; volumes: object },
  ]
  const example = parseEnv(read('deploy/example.env'))
  const [, made = ''] = /^ *for name in (.*); do$/m.exec(read('deploy/setup.sh')) ?? []

  test('both processes have existing settings that make a valid configuration', () => {
    const { 'voltleaf-a': a, 'voltleaf-b': b } = compose.services
    expect({ ...a, build: undefined }).toEqual(b)
    const { environment } = a!
    expect(unknown(Object.keys(environment))).toEqual([])
    const values: Record<string, string> = { ...example, LOGIN_DOMAIN: 'login.charging.example' }
    const fill = (text: string): string =>
      text
        .replaceAll(
          /\$\{(\w+)(?::\?[^}]*)?\}/g,
          (_, name: string) => values[name] ?? 's'.repeat(64),
        )
        .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
    const env = Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [name, fill(value)]),
    )
    expect(readConfig({ ...env, NODE_ENV: 'production' })).toMatchObject({
      publicUrl: 'https://voltleaf.localhost',
      trustProxy: true,
      oidc: { issuer: 'https://login.charging.example/realms/voltleaf' },
      s3: { endpoint: 'http://store:7070' },
    })
    expect(Number.parseInt(a!.stop_grace_period)).toBeGreaterThan(
      drainS + Number(environment['STOP_DELAY_SECONDS']),
    )
  })

  test('every variable is in example.env, created by setup.sh, or has a default', () => {
    const used = [...read('deploy/compose.yaml').matchAll(/\$\{(\w+)(:-)?/g)]
    const missing = used
      .filter(([, name = '', fallback]) => fallback === undefined && !(name in example))
      .map(([, name]) => name)
    expect(missing.filter((name) => !made.split(' ').includes(name ?? ''))).toEqual([])
  })

  test('the names of the proxy do not include one below DOMAIN, where the real provider may be', () => {
    for (const file of ['deploy/compose.yaml', 'deploy/Caddyfile'])
      expect(read(file)).not.toMatch(/\w\.(?:\$\{DOMAIN|\{\$DOMAIN)/)
  })

  test('old lines of the log are deleted', () => {
    expect(compose.services['voltleaf-a']?.logging.driver).toBe('local')
  })

  // Builds run concurrently, and Docker fails if two of them export an image of the same name.
  test('the image of both processes is built once', () => {
    const built = Object.entries(compose.services).filter(([, { build }]) => build !== undefined)
    expect(built.map(([name]) => name)).toEqual(['voltleaf-a'])
  })

  test('every image has a fixed version', () => {
    const images = [...read('deploy/compose.yaml').matchAll(/^ +image: (\S+)$/gm)]
      .map(([, image = '']) => image)
      .filter((image) => !image.startsWith('voltleaf:'))
    expect(images).toHaveLength(5)
    for (const image of images) expect(image).toMatch(/:v?\d/)
  })
})

test('kubernetes.yaml has existing settings, the probes of the server, and enough time to stop', () => {
  const documents = yaml('deploy/kubernetes.yaml')
  const settings = Object.assign(
    {},
    ...documents.map(({ data, stringData }) => ({ ...data, ...stringData })),
  ) as Record<string, string>
  expect(unknown(Object.keys(settings))).toEqual([])
  const asIs = { ...settings, NODE_ENV: 'production' }
  expect(() => readConfig(asIs)).toThrow('METRICS_TOKEN must not be the example')
  const changed = { ...asIs, METRICS_TOKEN: 'f'.repeat(64) }
  expect(readConfig(changed).publicUrl).toBe('https://charging.example')
  const pod = documents.find(({ kind }) => kind === 'Deployment')?.spec?.template.spec
  expect(pod?.containers[0]?.livenessProbe.httpGet.path).toBe(SERVICE_API.health)
  expect(pod?.containers[0]?.readinessProbe.httpGet.path).toBe(SERVICE_API.ready)
  // A migration takes as long in a container.
  const { periodSeconds = 0, failureThreshold = 0 } = pod?.containers[0]?.startupProbe ?? {}
  expect(read('Dockerfile')).toContain(` --start-period=${periodSeconds * failureThreshold}s `)
  expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(
    drainS + Number(settings['STOP_DELAY_SECONDS']),
  )
})

test('the service has existing settings and enough time to stop', () => {
  const unit = read('deploy/voltleaf@.service')
  const set = [...unit.matchAll(/ ([A-Z_]+)=/g)].map(([, name = '']) => name)
  expect(set).toEqual(['NODE_ENV', 'PORT', 'DATA_DIR'])
  expect(unknown(set)).toEqual([])
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(drainS)
})

test('proxies hide the metrics and check whether a process is ready', () => {
  for (const file of ['nginx.conf', 'Caddyfile', 'haproxy.cfg'])
    expect([file, read(`deploy/${file}`)]).toEqual([
      file,
      expect.stringContaining(` ${SERVICE_API.metrics} `),
    ])
  for (const file of ['Caddyfile', 'haproxy.cfg'])
    expect(read(`deploy/${file}`)).toContain(` ${SERVICE_API.ready}\n`)
})

test('proxies that limit bodies accept the largest file to import, and its volume has room for all uploads', () => {
  const limit = `${IMPORT_LIMITS.bodyBytes / MiB}m`
  expect(read('deploy/nginx.conf')).toContain(`client_max_body_size ${limit};`)
  const documents = yaml('deploy/kubernetes.yaml')
  const ingress = documents.find(({ kind }) => kind === 'Ingress')
  expect(ingress?.metadata.annotations).toMatchObject({
    'nginx.ingress.kubernetes.io/proxy-body-size': limit,
  })
  const pod = documents.find(({ kind }) => kind === 'Deployment')?.spec?.template.spec
  const size = pod?.volumes.find(({ name }) => name === 'data')?.emptyDir.sizeLimit ?? ''
  expect(size).toMatch(/^\d+Gi$/)
  expect(Number.parseInt(size) * 1024 * MiB).toBeGreaterThan(
    LIMITS.uploads * IMPORT_LIMITS.bodyBytes,
  )
})

test('the guide names files and commands that exist', () => {
  const guide = read('docs/deploy.md')
  const files = [...guide.matchAll(/deploy\/([\w@.-]+\w)/g)].map(([, file]) => file)
  const there = globSync('deploy/*', { cwd: root, exclude: ['deploy/.env'] })
  expect(files.length).toBeGreaterThan(2)
  for (const file of files) expect(there).toContain(`deploy/${file}`)
  for (const [script] of guide.matchAll(/scripts\/[\w-]+\.ts/g))
    expect(globSync('scripts/*.ts', { cwd: root })).toContain(script)
})

describe('alerts and Grafana dashboard', () => {
  const [{ groups }] = yaml('deploy/alerts.yaml') as unknown as [
    { groups: { rules: { alert: string; annotations: { runbook: string } }[] }[] },
  ]
  const alerts = groups.flatMap(({ rules }) => rules)

  test('every alert has a section in the runbook, and every section an alert', () => {
    const sections = [...read('docs/runbook.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name)
    expect(sections).toEqual(alerts.map(({ alert }) => alert))
    for (const { alert, annotations } of alerts)
      expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`)
  })

  test('they use metrics that the server has, and the Grafana dashboard uses nearly all of them', () => {
    const metrics = read('server/metrics/metrics.ts')
    const known = new Set(
      [...metrics.matchAll(/'((?:voltleaf|process)_\w+)'/g)].map(([, name]) => name),
    )
    const used = (file: string) =>
      new Set(
        [...read(file).matchAll(/\b(?:voltleaf|process)_\w+/g)].map(([name]) =>
          name.replace(/_bucket$/, ''),
        ),
      )
    for (const file of ['deploy/alerts.yaml', 'deploy/grafana.json', 'docs/runbook.md'])
      expect([...used(file)].filter((name) => !known.has(name))).toEqual([])
    const both = new Set([...used('deploy/grafana.json'), ...used('deploy/alerts.yaml')])
    expect([...known].filter((name) => !both.has(name ?? ''))).toEqual([])
  })
})
