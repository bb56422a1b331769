import type { FastifyInstance } from 'fastify'

import { SERVICE_API } from '#domain/paths.ts'

import { ONE_HOUR } from '../http/respond.ts'
import { describeApi, type Installation } from './openapi.ts'

/** Serves the description of the API. */
export const openApiRoutes = (app: FastifyInstance, installation: Installation): void => {
  const described = describeApi(installation)
  app.get(SERVICE_API.openapi, async (_request, reply) =>
    reply.header('cache-control', ONE_HOUR).send(await described),
  )
}
