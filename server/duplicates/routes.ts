import type { FastifyInstance, FastifyRequest } from 'fastify'

import {
  DUPLICATE_INPUT,
  DUPLICATE_LIMITS,
  MIN_DUPLICATE_SCORE,
  type DuplicatesAnswer,
} from '#domain/duplicate.ts'
import { API } from '#domain/paths.ts'

import { callerOf } from '../caller.ts'
import type { Sql } from '../db/sql.ts'
import { readFields } from '../http/read-fields.ts'
import { INVALID_INPUT } from '../problem.ts'
import { requireAccount, type Records } from '../records/records.ts'
import { findDuplicates, type DuplicateQuery } from './duplicates.ts'

type Request = FastifyRequest<{ Querystring: Readonly<Record<string, unknown>> }>

/** Reports to signed-in users whether a site already exists, their own or another business's. */
export const duplicateRoutes = (app: FastifyInstance, sql: Sql, records: Records): void => {
  app.get(
    API.duplicates,
    { config: { rateLimit: 'duplicates' } },
    async (request: Request, reply) => {
      const caller = callerOf(request)
      await requireAccount(records, caller)
      const [found = []] = await findDuplicates(sql, caller.id ?? '', [readDuplicateQuery(request)])
      const answer: DuplicatesAnswer = {
        items: found
          .filter(({ score }) => score >= MIN_DUPLICATE_SCORE)
          .slice(0, DUPLICATE_LIMITS.items),
      }
      return reply.header('cache-control', 'no-store').send(answer)
    },
  )
}

const readDuplicateQuery = ({ query }: Request): DuplicateQuery => {
  const { lat, lng, name, site } = readFields(
    DUPLICATE_INPUT,
    (parameter) => query[parameter],
    INVALID_INPUT,
  )
  return { name, latitude: lat, longitude: lng, except: site }
}
