/** The labels of one series. */
type Labels = Readonly<Record<string, string>>

interface Counter {
  add(labels?: Labels, by?: number): void
}

interface Histogram {
  observe(value: number, labels?: Labels): void
}

/** The values of a summary when it is rendered. */
interface Summary {
  /** Values by quantile, from 0 to 1. */
  readonly quantiles: Readonly<Record<string, number>>
  readonly sum: number
  readonly count: number
}

/** The values of a gauge when it is rendered: one, or one for each set of labels. */
export type Reading = number | readonly (readonly [Labels, number])[]

/** Measured values, in the text format of Prometheus. */
export interface Registry {
  /** `series` exist from the beginning, with 0, so that the first event is an increase. */
  counter(name: string, help: string, series?: readonly Labels[]): Counter
  /** `read` is called for each `render`; a gauge whose `read` throws is left out. */
  gauge(name: string, help: string, read: () => Reading | Promise<Reading>, type?: string): void
  summary(name: string, help: string, read: () => Summary): void
  /** `bounds` are the upper bounds of the buckets, ascending. */
  histogram(name: string, help: string, bounds: readonly number[]): Histogram
  render(): Promise<string>
}

/** Maximum number of series per metric; labels have few values by design. */
const MAX_SERIES = 5000

export const createRegistry = (): Registry => {
  const families: { name: string; head: string; lines: () => Promise<string[]> }[] = []
  const add = (name: string, help: string, type: string, lines: () => Promise<string[]>): void => {
    families.push({ name, head: `# HELP ${name} ${help}\n# TYPE ${name} ${type}`, lines })
  }
  return {
    counter: (name, help, series = []) => {
      const values = new Map<string, number>(series.map((labels) => [write(labels), 0]))
      add(name, help, 'counter', async () =>
        [...values].map(([labels, value]) => `${name}${labels} ${value}`),
      )
      return {
        add: (labels = {}, by = 1) => {
          const key = write(labels)
          if (values.has(key) || values.size < MAX_SERIES)
            values.set(key, (values.get(key) ?? 0) + by)
        },
      }
    },
    gauge: (name, help, read, type = 'gauge') => {
      add(name, help, type, async () => {
        const reading = await read()
        const series = typeof reading === 'number' ? ([[{}, reading]] as const) : reading
        return series.map(([labels, value]) => `${name}${write(labels)} ${value}`)
      })
    },
    summary: (name, help, read) => {
      add(name, help, 'summary', async () => {
        const { quantiles, sum, count } = read()
        const lines = Object.entries(quantiles).map(
          ([quantile, value]) => `${name}${write({ quantile })} ${value}`,
        )
        return [...lines, `${name}_sum ${sum}`, `${name}_count ${count}`]
      })
    },
    histogram: (name, help, bounds) => {
      const series = new Map<string, { labels: Labels; counts: number[]; sum: number }>()
      add(name, help, 'histogram', async () =>
        [...series.values()].flatMap(({ labels, counts, sum }) => {
          let total = 0
          const buckets = [...bounds, '+Inf'].map((bound, index) => {
            total += counts[index] ?? 0
            return `${name}_bucket${write({ ...labels, le: String(bound) })} ${total}`
          })
          const own = write(labels)
          return [...buckets, `${name}_sum${own} ${sum}`, `${name}_count${own} ${total}`]
        }),
      )
      return {
        observe: (value, labels = {}) => {
          const key = write(labels)
          let entry = series.get(key)
          if (entry === undefined) {
            if (series.size >= MAX_SERIES) return
            entry = { labels, counts: Array<number>(bounds.length + 1).fill(0), sum: 0 }
            series.set(key, entry)
          }
          const found = bounds.findIndex((bound) => value <= bound)
          const bucket = found === -1 ? bounds.length : found
          entry.counts[bucket] = (entry.counts[bucket] ?? 0) + 1
          entry.sum += value
        },
      }
    },
    render: async () => {
      const texts = await Promise.all(
        families.map(async ({ head, lines }) => {
          const all = await lines().catch(() => [])
          return `${[head, ...all].join('\n')}\n`
        }),
      )
      return texts.join('')
    },
  }
}

const write = (labels: Labels): string => {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escape(value)}"`)
  return parts.length === 0 ? '' : `{${parts.join(',')}}`
}

const escape = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
