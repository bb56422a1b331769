import type { FastifyInstance, FastifyRequest } from 'fastify'

import { ApiError, type FieldError } from '#domain/error.ts'
import { pickLanguage } from '#domain/language.ts'
import { API } from '#domain/paths.ts'
import { REPORT_INPUT, type ReportInput } from '#domain/report.ts'
import { readValue } from '#domain/schema.ts'

import { discardUploads, readSubmission } from '../http/body.ts'
import type { Reports } from './reports.ts'

type Request = FastifyRequest<{ Params: { id: string } }>

/** More than a report needs; it has no files. */
const BODY_LIMITS = { maxFileBytes: 0, maxFiles: 0, maxTextBytes: 8 * 1024 }

/** Takes what travellers tell the owners of public sites; they need no account. */
export const reportRoutes = (app: FastifyInstance, reports: Reports, tempDir: string): void => {
  app.post(API.publicReports(':id'), async (request: Request, reply) => {
    const submission = await readSubmission(request, tempDir, BODY_LIMITS)
    await discardUploads(submission)
    await reports.take(request.params.id, readReport(submission.fields), {
      address: request.ip,
      language: pickLanguage(request.headers['accept-language']),
    })
    return reply.code(204).header('cache-control', 'no-store').send()
  })
}

/** @throws ApiError 400 with the errors of the fields */
const readReport = (sent: ReadonlyMap<string, unknown>): ReportInput => {
  const errors: Record<string, FieldError> = {}
  const values = Object.entries(REPORT_INPUT).map(([name, field]) => {
    const { value, error } = readValue(field, sent.get(name))
    if (error !== undefined) errors[name] = error
    return [name, value]
  })
  if (Object.keys(errors).length > 0) throw new ApiError(400, 'Failed to create record.', errors)
  return Object.fromEntries(values) as ReportInput
}
