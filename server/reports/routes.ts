import type { FastifyInstance, FastifyRequest } from 'fastify'

import { pickLanguage } from '#domain/language.ts'
import { API } from '#domain/paths.ts'
import { REPORT_INPUT } from '#domain/report.ts'

import { discardUploads, readSubmission } from '../http/body.ts'
import { readFields } from '../http/read-fields.ts'
import type { Reports } from './reports.ts'

type Request = FastifyRequest<{ Params: { id: string } }>

/** More than a report needs; reports have no files. */
const BODY_LIMITS = { maxFileBytes: 0, maxFiles: 0, maxTextBytes: 8 * 1024 }

/** The route for reports by travellers, who need no account. */
export const reportRoutes = (app: FastifyInstance, reports: Reports, tempDir: string): void => {
  const config = { kind: 'publicRead', rateLimit: 'reports' } as const
  app.post(API.publicReports(':id'), { config }, async (request: Request, reply) => {
    const submission = await readSubmission(request, tempDir, BODY_LIMITS)
    await discardUploads(submission)
    const { fields } = submission
    const report = readFields(REPORT_INPUT, (name) => fields.get(name), 'Failed to create record.')
    await reports.take(request.params.id, report, {
      address: request.ip,
      language: pickLanguage(request.headers['accept-language']),
    })
    return reply.code(204).header('cache-control', 'no-store').send()
  })
}
