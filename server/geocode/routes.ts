import type { FastifyInstance, FastifyRequest } from 'fastify'

import { API } from '#domain/api.ts'
import { ApiError, fieldError, type FieldError } from '#domain/error.ts'
import { GEOCODE_LIMITS } from '#domain/geocode.ts'
import { pickLanguage } from '#domain/language.ts'
import { superusers } from '#domain/superuser.ts'
import { users } from '#domain/user.ts'

import { callerOf } from '../http/identity.ts'
import type { Records } from '../records/records.ts'
import type { Geocode, Search } from './geocode.ts'

type Query = Partial<Record<'q' | 'latitude' | 'longitude', string>>
type Request = FastifyRequest<{ Querystring: Query }>

/** Searches addresses for people who are signed in. */
export const geocodeRoutes = (app: FastifyInstance, geocode: Geocode, records: Records): void => {
  app.get(API.geocode, async (request: Request, reply) => {
    const caller = callerOf(request)
    // The session's own record is found while the session lives.
    await records
      .get(caller, caller.superuser ? superusers : users, caller.id ?? '', VIEW)
      .catch(refuseGuest)
    const { items, attribution } = await geocode(readSearch(request))
    return reply.header('cache-control', 'no-store').send({ items, attribution })
  })
}

const VIEW = { picks: undefined, expand: '' }

const refuseGuest = (error: unknown): never => {
  if (!(error instanceof ApiError)) throw error
  throw new ApiError(401, 'The request requires valid record authorization token.')
}

const readSearch = ({ query, headers }: Request): Search => {
  const text = (query.q ?? '').trim()
  if (text === '') throw refused({ q: fieldError('validation_required') })
  if (text.length > GEOCODE_LIMITS.queryLength) {
    const max = GEOCODE_LIMITS.queryLength
    throw refused({ q: fieldError('validation_max_text_constraint', { max }) })
  }
  const language = pickLanguage(headers['accept-language'])
  const latitude = readDegrees(query, 'latitude')
  const longitude = readDegrees(query, 'longitude')
  if (latitude === undefined || longitude === undefined) return { text, language }
  return { text, language, near: { latitude, longitude } }
}

const readDegrees = (query: Query, name: 'latitude' | 'longitude'): number | undefined => {
  const text = query[name]
  if (text === undefined) return undefined
  if (/^-?\d{1,3}(\.\d{1,20})?$/.test(text)) return Number(text)
  throw refused({ [name]: fieldError('validation_not_a_number') })
}

const refused = (fields: Readonly<Record<string, FieldError>>): ApiError =>
  new ApiError(400, 'An error occurred while validating the submitted data.', fields)
