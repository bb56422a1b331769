import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, test } from 'vitest'
import { root } from '../scripts/process.ts'
import { readConfig } from '../server/config.ts'

/** An import of one of our files. */
interface Import {
  readonly from: string
  /** One of our files, relative to the project, or the name of a package. */
  readonly to: string
  readonly isType: boolean
}

const SOURCES = '{domain,server,web,scripts,tests,bench}/**/*.{ts,tsx}'
const files = globSync(SOURCES, {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|dist(\.[^/]*)?)$/.test(path),
}).toSorted()
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const isTest = (file: string): boolean => /\.(test|spec|contract)\.tsx?$/.test(file)

const STATIC = /^(?:import|export)\s+(type\s)?(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]/gm
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

const resolve = (from: string, name: string): string => {
  if (name.startsWith('#domain/')) return name.slice(1)
  return name.startsWith('.') ? normalize(join(dirname(from), name)) : name
}
const staticImports: Import[] = [...texts].flatMap(([from, text]) =>
  [...text.matchAll(STATIC)].map(([, type, name = '']) => ({
    from,
    to: resolve(from, name),
    isType: type !== undefined,
  })),
)
const dynamicImports: Import[] = [...texts].flatMap(([from, text]) =>
  [...text.matchAll(DYNAMIC)].map(([, name = '']) => ({
    from,
    to: resolve(from, name),
    isType: false,
  })),
)
const imports = [...staticImports, ...dynamicImports]
const say = ({ from, to }: Import): string => `${from} imports ${to}`

test('the code is found', () => {
  expect(imports.length).toBeGreaterThan(100)
  expect(imports.filter(({ to }) => /^(domain|server|web)\//.test(to) && !texts.has(to))).toEqual(
    imports.filter(({ to }) => /^web\/.*\.(css|svg|json)(\?\w+)?$/.test(to)),
  )
})

describe('direction', () => {
  test('domain imports only itself and zod/mini; server and web never import each other; nothing imports tests, scripts or bench', () => {
    const wrong = imports.filter(({ from, to }) => {
      if (isTest(from)) return false
      if (from.startsWith('domain/')) return !to.startsWith('domain/') && to !== 'zod/mini'
      if (from.startsWith('server/')) return /^(web|tests|scripts|bench)\//.test(to)
      if (from.startsWith('web/')) return /^(server|tests|scripts|bench)\//.test(to)
      return from.startsWith('scripts/') && to.startsWith('tests/')
    })
    expect(wrong.map(say)).toEqual([])
  })

  test('other folders import only the main module of a server folder', () => {
    // The other modules that may be imported are tools that know nothing of their folder's concerns.
    const shown: Readonly<Record<string, readonly string[]>> = {
      db: [
        'columns.ts',
        'conflicts.ts',
        'connect.ts',
        'errors.ts',
        'locks.ts',
        'migrate.ts',
        'places.ts',
        'random.ts',
        'replicas.ts',
        'sql.ts',
        'stable-id.ts',
      ],
      files: ['images.ts', 'store-owner.ts', 'referenced-files.ts'],
      fetch: ['addresses.ts'],
      formats: ['join.ts', 'outputs.ts', 'repair/repair.ts', 'source.ts', 'station.ts'],
      // The vocabulary of HTTP; request handlers need the modules individually.
      http: [
        'address.ts',
        'body.ts',
        'built.ts',
        'head.ts',
        'language.ts',
        'parameters.ts',
        'read-fields.ts',
        'respond.ts',
        'route-config.ts',
        'web-settings.ts',
      ],
    }
    const wrong = imports.filter(({ from, to }) => {
      const [, fromFolder, fromName] = /^server\/(?:([\w-]+)\/)?([\w./-]+)$/.exec(from) ?? []
      const [, toFolder, toName] = /^server\/([\w-]+)\/([\w./-]+)$/.exec(to) ?? []
      if (!fromName || !toFolder || !toName || isTest(from) || fromFolder === toFolder) return false
      if (shown[toFolder]?.includes(toName)) return false
      // These modules assemble the parts.
      if (fromFolder === undefined) {
        return (
          !['server/app.ts', 'server/services.ts', 'server/lifecycle.ts'].includes(from) &&
          (from !== 'server/main.ts' || !['db', 'log', 'tracing'].includes(toFolder))
        )
      }
      return toName !== `${toFolder}.ts`
    })
    expect(wrong.map(say)).toEqual([])
  })

  test('a folder of web imports only the folders below it, and a screen no other screen', () => {
    const BELOW: Readonly<Record<string, readonly string[]>> = {
      messages: [],
      format: [],
      analytics: [],
      browser: ['data', 'messages', 'prerender'],
      ui: ['browser', 'messages'],
      data: [],
      map: ['format', 'ui', 'messages'],
      photos: ['map'],
      traveller: ['map', 'photos', 'format', 'ui', 'messages'],
      screens: ['traveller', 'data', 'map', 'photos', 'format', 'ui', 'browser', 'messages'],
    }
    const roomOf = (file: string): string | undefined => /^web\/(\w+)\//.exec(file)?.[1]
    const screenOf = (file: string): string | undefined => /^web\/screens\/(\w+)\//.exec(file)?.[1]
    const wrong = imports.filter(({ from, to }) => {
      const [room = '', other] = [roomOf(from), roomOf(to)]
      if (isTest(from) || other === undefined || !(room in BELOW)) return false
      if (room !== other) return !BELOW[room]?.includes(other)
      const [screen, another] = [screenOf(from), screenOf(to)]
      return screen !== another && screen !== undefined && ![undefined, 'shared'].includes(another)
    })
    expect(wrong.map(say)).toEqual([])
  })

  test('only the table of contents imports routes', () => {
    const wrong = imports.filter(
      ({ from, to }) => /^server\/[\w-]+\/routes\.ts$/.test(to) && from !== 'server/app.ts',
    )
    expect(wrong.map(say)).toEqual([])
  })

  test('a server folder imports only those before it, types included', () => {
    const order = [
      'messages',
      'db',
      'log',
      'metrics',
      'tracing',
      'http',
      'rate-limit',
      'mail',
      'auth',
      'files',
      'backup',
      'formats',
      'fetch',
      'records',
      'batch',
      'export',
      'duplicates',
      'realtime',
      'imports',
      'reports',
      'geocode',
      'public',
      'open',
      'site-page',
      'health',
      'openapi',
    ]
    // Modules that the folders share, and that import none of them.
    const shared = [
      'caller',
      'concurrency',
      'config',
      'database-address',
      'limits',
      'local-file',
      'lru',
      'problem',
      'timeout',
      'zip',
    ]
    const rank = (file: string): number => {
      const [, folder, name = ''] =
        /^server\/(?:([\w-]+)\/(?:[\w-]+\/)*)?([\w-]+)\.ts$/.exec(file) ?? []
      if (folder === undefined) return shared.includes(name) ? -1 : Infinity
      // Routes are above everything that they put on the wire.
      return name === 'routes' ? order.length : order.indexOf(folder)
    }
    const folders = new Set(files.flatMap((file) => /^server\/([\w-]+)\//.exec(file)?.[1] ?? []))
    expect(new Set(order)).toEqual(folders)
    const wrong = imports.filter(
      ({ from, to }) =>
        from.startsWith('server/') &&
        to.startsWith('server/') &&
        !isTest(from) &&
        rank(from) < rank(to),
    )
    expect(wrong.map(say)).toEqual([])
  })

  test('there are no import cycles, including dynamic imports and, outside the tests, types', () => {
    const edges = Map.groupBy(
      imports.filter(
        ({ from, isType, to }) =>
          (!isType || /^(server|domain|web|scripts|bench)\//.test(from)) && texts.has(to),
      ),
      ({ from }) => from,
    )
    const done = new Set<string>()
    const findCycle = (file: string, path: readonly string[]): string[] | undefined => {
      if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
      if (done.has(file)) return undefined
      for (const { to } of edges.get(file) ?? []) {
        const cycle = findCycle(to, [...path, file])
        if (cycle) return cycle
      }
      done.add(file)
      return undefined
    }
    expect(files.map((file) => findCycle(file, [])).find(Boolean)).toBeUndefined()
  })
})

describe('one place for each thing', () => {
  test('only config reads the environment, and only main uses the process', () => {
    const allowed = [
      'server/config.ts',
      'server/main.ts',
      // Listens for errors that have no other listener.
      'server/uncaught.ts',
      // These two supervise another process, and must see its start and end.
      'server/db/embedded.ts',
      'server/db/launch.ts',
    ]
    const wrong = [...texts].filter(
      ([file, text]) =>
        /^(server|domain|web)\//.test(file) &&
        !isTest(file) &&
        !allowed.includes(file) &&
        file !== 'web/vite.config.ts' &&
        (/(?<![\w.$'"`])process\.(?!nextTick)\w/.test(withoutComments(text)) ||
          /['"]node:process['"]/.test(text)),
    )
    expect(wrong.map(([file]) => file)).toEqual([])
  })

  const OWNERS: Readonly<Record<string, readonly string[]>> = {
    'maplibre-gl': ['web/map/map.ts'],
    'countly-sdk-web': ['web/analytics/analytics.ts'],
    'openid-client': ['server/auth/oidc.ts', 'server/auth/provider-errors.ts'],
    pg: [
      ...['copy', 'dialer', 'errors', 'pool'].map((name) => `server/db/${name}.ts`),
      // The console of a pooler is not a database.
      'tests/support/pooler.ts',
    ],
    sharp: [
      'server/files/images.ts',
      // Draws the icons of the build.
      'web/icons.ts',
      'tests/support/images.ts',
      'tests/support/hostile-files.ts',
      'tests/support/largest-images.ts',
    ],
    '@aws-sdk/client-s3': ['server/files/s3.ts', 'tests/support/stored.ts'],
    '@opentelemetry/api': ['server/tracing/tracing.ts'],
    'oidc-provider': ['scripts/provider/stand-in-provider.ts'],
    '@playwright/test': [
      'tests/e2e/driver.ts',
      'tests/e2e/playwright.config.ts',
      'bench/browser/chromium.ts',
      // Only to find out where it keeps the browser that it downloaded.
      'scripts/testing/browser.ts',
    ],
  }
  // Another database driver would only affect these modules: no other module may use even its types.
  const EVEN_TYPES = ['pg']

  test.each(Object.entries(OWNERS))('%s is imported where it is wrapped', (name, owners) => {
    const hidesTypes = EVEN_TYPES.includes(name)
    const wrong = imports.filter(
      ({ from, to, isType }) =>
        (to === name || to.startsWith(`${name}/`)) &&
        (!isType || hidesTypes) &&
        !owners.includes(from) &&
        (!isTest(from) || hidesTypes),
    )
    expect(wrong.map(say)).toEqual([])
  })
})

describe('documentation', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }

  test('every command named in the documents exists', () => {
    const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root })
    const named = documents.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/npm (?:run )?([a-z][\w:-]*)/g)].map(
        ([command, name = '']) => ({ file, command, name }),
      ),
    )
    const ofNpm = ['ci', 'install']
    const wrong = named.filter(
      ({ command, name }) =>
        scripts[name] === undefined && (command.startsWith('npm run') || !ofNpm.includes(name)),
    )
    expect(wrong).toEqual([])
    expect(documents).toContain('README.md')
  })

  test('every cited section and decision exists', () => {
    const headings = (file: string): Set<string | undefined> =>
      new Set(
        [...readFileSync(join(root, file), 'utf8').matchAll(/^#+ (\d+(?:\.\d+)*)/gm)].map(
          ([, section]) => section,
        ),
      )
    const sections = {
      spec: headings('docs/spec.md'),
      'record interface': headings('docs/record-interface.md'),
    }
    const decisions = new Set(
      globSync('docs/decisions/*.md', { cwd: root }).map((file) => /\d{4}/.exec(file)?.[0]),
    )
    const cited = new Map([
      ...texts,
      ...globSync(['*.md', 'docs/**/*.md', 'web/**/*.css'], { cwd: root }).map(
        (file) => [file, readFileSync(join(root, file), 'utf8')] as const,
      ),
    ])
    const SECTIONS =
      /\b(spec|record interface|decisions?)(?: section)? (\d[\d.]*(?:(?:, | and | to )\d[\d.]*)*)/gi
    const wrong: string[] = []
    let found = 0
    for (const [file, text] of cited) {
      // A citation may continue on the next line of a comment.
      for (const [citation, document = '', numbers = ''] of text
        .replaceAll(/\s+(?:\*|\/\/) /g, ' ')
        .matchAll(SECTIONS)) {
        found += 1
        const name = document.toLowerCase()
        const known = name === 'spec' || name === 'record interface' ? sections[name] : decisions
        for (const [number] of numbers.matchAll(/\d+(?:\.\d+)*/g))
          if (!known.has(number)) wrong.push(`${file}: ${citation}`)
      }
    }
    expect(wrong).toEqual([])
    expect(found).toBeGreaterThan(150)
  })

  test('.env.example contains every setting that is read, with values that change nothing', () => {
    const text = readFileSync(join(root, '.env.example'), 'utf8')
    const written = [...text.matchAll(/^(?:# )?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name)
    const read = new Set<string>()
    readConfig(
      new Proxy<Record<string, string>>(
        {},
        {
          get: (_, name) => {
            read.add(String(name))
            return undefined
          },
        },
      ),
    )
    expect(new Set(written)).toEqual(read)
    expect(written).toHaveLength(read.size)
    expect(readConfig(parseEnv(text))).toEqual(readConfig({}))
  })

  test('the settings that are commented out in .env.example are valid', () => {
    const text = readFileSync(join(root, '.env.example'), 'utf8')
    const everything = text.replaceAll(/^# ([A-Z][A-Z0-9_]*=)/gm, '$1')
    expect(() => readConfig(parseEnv(everything))).not.toThrow()
  })
})

const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
