import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'

import { BATCH_LIMITS, MAX_BODY_BYTES } from '#domain/limits.ts'
import { API } from '#domain/paths.ts'
import { COLLECTIONS } from '#domain/collections.ts'
import { ApiError } from '#domain/error.ts'

import { callerOf } from '../caller.ts'
import { discardUploads, readSubmission, readWriteKey, type Submission } from '../http/body.ts'
import { sendWritten } from '../http/respond.ts'
import { largestFile } from '../records/records.ts'
import { unreadable, type PerformBatch } from './batch.ts'

const WRITTEN = Object.values(COLLECTIONS).filter(({ access }) => access.change !== 'nobody')

/** All requests arrive in one text part, so only the limit of the body applies. */
const LIMITS = {
  maxFiles: BATCH_LIMITS.files,
  maxTextBytes: MAX_BODY_BYTES,
  maxFileBytes: Math.max(...WRITTEN.map(largestFile)),
}

/** Several writes in one request (record interface 7.1). */
export const batchRoutes = (
  app: FastifyInstance,
  performBatch: PerformBatch,
  tempDir: string,
): void => {
  // Its forms may consist of text only.
  const options = { errorHandler: nameUnreadable, config: { buffersForms: true } }
  app.post(API.batch, options, async (request, reply) => {
    const submission = await readBatch(request, tempDir)
    try {
      const key = await readWriteKey(request, submission)
      return await sendWritten(reply, await performBatch(callerOf(request), submission, key))
    } finally {
      await discardUploads(submission)
    }
  })
}

/** JSON is parsed before the route handler. */
const nameUnreadable = (error: FastifyError): never => {
  throw !(error instanceof ApiError) && error.statusCode === 400 ? unreadable(error) : error
}

const readBatch = async (request: FastifyRequest, tempDir: string): Promise<Submission> => {
  try {
    return await readSubmission(request, tempDir, LIMITS)
  } catch (error) {
    throw error instanceof ApiError && error.status === 400 ? unreadable(error) : error
  }
}
