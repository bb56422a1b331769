import type { Span, Tracer } from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace-node'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { StartupError } from '../problem.ts'

/** Sends traces of requests to an OpenTelemetry collector. */
export interface Tracing {
  /** Runs `work` and measures it as a statement of the current request. */
  statement<T>(text: string, work: () => Promise<T>): Promise<T>
  /** Opens a span for each request, below the one that its `traceparent` names. */
  requests(app: FastifyInstance): void
  /** Sends pending spans. */
  close(): Promise<void>
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Opens tracing if the standard variables enable it: `OTEL_EXPORTER_OTLP_ENDPOINT`,
 * `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` or `OTEL_TRACES_EXPORTER=otlp`. The SDK reads these and all other variables; it
 * is loaded only if tracing is enabled. `tell` is called with a sentence when traces can no longer be sent, and when
 * they can again.
 * @returns undefined if tracing is not enabled
 * @throws {StartupError} for an unsupported exporter or protocol
 */
export const openTracing = async (
  env: Environment,
  version: string,
  tell: (sentence: string) => void,
): Promise<Tracing | undefined> => {
  if (!isWanted(env)) return undefined
  const [api, sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@opentelemetry/resources'),
  ])
  const { resourceFromAttributes, detectResources, envDetector } = resources
  const provider = new sdk.NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'voltleaf',
      ...(version && { 'service.version': version }),
    }).merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(watched(new OTLPTraceExporter(), tell))],
  })
  provider.register()
  const { trace, SpanKind, SpanStatusCode } = api
  const tracer = provider.getTracer('voltleaf')
  return {
    statement: (text, work) => {
      // Background tasks of the server would become traces of one statement.
      if (trace.getActiveSpan() === undefined) return work()
      const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text }
      const name = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'SQL'
      return tracer.startActiveSpan(name, { kind: SpanKind.CLIENT, attributes }, async (span) => {
        try {
          return await work()
        } catch (error) {
          span.setStatus({ code: SpanStatusCode.ERROR })
          throw error
        } finally {
          span.end()
        }
      })
    },
    requests: (app) => traceRequests(app, { api, tracer }),
    close: () => provider.shutdown(),
  }
}

/** Reports once per outage that traces do not arrive: the SDK drops them silently. */
const watched = (exporter: SpanExporter, tell: (sentence: string) => void): SpanExporter => {
  let isDown = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const { error } = result
        if (error !== undefined && !isDown)
          tell(`Traces cannot be sent to the OpenTelemetry collector: ${error.message}.`)
        if (error === undefined && isDown) tell('Traces are sent again.')
        isDown = error !== undefined
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}

const isWanted = (env: Environment): boolean => {
  if (env['OTEL_SDK_DISABLED'] === 'true') return false
  const exporter = env['OTEL_TRACES_EXPORTER'] || undefined
  if (exporter === 'none') return false
  if (exporter !== undefined && exporter !== 'otlp')
    throw new StartupError(`OTEL_TRACES_EXPORTER must be otlp or none, not "${exporter}".`)
  const isAsked =
    exporter ??
    (env['OTEL_EXPORTER_OTLP_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || undefined)
  if (isAsked === undefined) return false
  for (const name of ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'])
    if (![undefined, '', 'http/protobuf'].includes(env[name]))
      throw new StartupError(`${name} must be http/protobuf, not "${env[name]}".`)
  return true
}

interface Telemetry {
  readonly api: typeof import('@opentelemetry/api')
  readonly tracer: Tracer
}

const traceRequests = (app: FastifyInstance, { api, tracer }: Telemetry): void => {
  const { context, propagation, trace, SpanKind, SpanStatusCode } = api
  const open = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, routeOptions, id } = request
    if (routeOptions.config.kind === 'monitoring') return done()
    const parent = propagation.extract(context.active(), headers)
    const route = routeOptions.url ?? 'none'
    // No URL, address or header: a trace is as discreet as the log.
    const attributes = { 'http.request.method': method, 'http.route': route, 'request.id': id }
    const options = { kind: SpanKind.SERVER, attributes }
    const span = tracer.startSpan(`${method} ${route}`, options, parent)
    open.set(request, span)
    context.with(trace.setSpan(parent, span), done)
  })
  const end = (request: FastifyRequest, status?: number): void => {
    const span = open.get(request)
    open.delete(request)
    if (status !== undefined) span?.setAttribute('http.response.status_code', status)
    if (status === undefined || status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  }
  app.addHook('onResponse', (request, reply, done) => {
    end(request, reply.statusCode)
    done()
  })
  app.addHook('onRequestAbort', (request, done) => {
    end(request)
    done()
  })
}
