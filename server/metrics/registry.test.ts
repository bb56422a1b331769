import { expect, test } from 'vitest'

import { createRegistry } from './registry.ts'

test('writes counters, gauges and histograms in the text format of Prometheus', async () => {
  const registry = createRegistry()
  const counter = registry.counter('requests_total', 'Requests.', [{ status: '5xx' }])
  const histogram = registry.histogram('seconds', 'Times.', [0.1, 1])
  registry.summary('lag', 'Lags.', () => ({ quantiles: { '0.5': 0.1 }, sum: 3, count: 20 }))
  registry.gauge('open', 'Open ones.', () => [[{ kind: 'a"\\\n' }, 2]])
  registry.gauge('plain', 'One value.', async () => 1.5)
  registry.gauge('broken', 'Cannot be read.', () => Promise.reject(new Error('no')))
  counter.add({ status: '2xx' })
  counter.add({ status: '2xx' }, 2)
  for (const value of [0.05, 0.1, 0.5, 7]) histogram.observe(value)
  expect(await registry.render()).toBe(`# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{status="5xx"} 0
requests_total{status="2xx"} 3
# HELP seconds Times.
# TYPE seconds histogram
seconds_bucket{le="0.1"} 2
seconds_bucket{le="1"} 3
seconds_bucket{le="+Inf"} 4
seconds_sum 7.65
seconds_count 4
# HELP lag Lags.
# TYPE lag summary
lag{quantile="0.5"} 0.1
lag_sum 3
lag_count 20
# HELP open Open ones.
# TYPE open gauge
open{kind="a\\"\\\\\\n"} 2
# HELP plain One value.
# TYPE plain gauge
plain 1.5
# HELP broken Cannot be read.
# TYPE broken gauge
`)
})
