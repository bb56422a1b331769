import type { FastifyInstance, FastifyRequest } from 'fastify'

import { API } from '#domain/paths.ts'
import { fieldError, withSentence } from '#domain/error.ts'
import { GEOCODE_LIMITS } from '#domain/geocode.ts'
import { pickLanguage } from '#domain/language.ts'
import { findMapLink, isShortMapLink } from '#domain/map-link.ts'
import { readValue } from '#domain/schema.ts'
import { sites } from '#domain/site.ts'

import { callerOf } from '../caller.ts'
import { invalidInput } from '../problem.ts'
import { requireAccount, type Records } from '../records/records.ts'
import type { Geocode, Question } from './geocode.ts'

type Query = Partial<Record<'q' | 'link' | 'latitude' | 'longitude', string>>
type Request = FastifyRequest<{ Querystring: Query }>

/** Geocoding, reverse geocoding and links of map apps, for signed-in users. */
export const geocodeRoutes = (app: FastifyInstance, geocode: Geocode, records: Records): void => {
  app.get(API.geocode, { config: { rateLimit: 'geocoding' } }, async (request: Request, reply) => {
    await requireAccount(records, callerOf(request))
    const answer = await geocode(readQuestion(request))
    return reply.header('cache-control', 'no-store').send(answer)
  })
}

const readQuestion = ({ query, headers }: Request): Question => {
  const language = pickLanguage(headers['accept-language'])
  const latitude = readDegrees(query, 'latitude')
  const longitude = readDegrees(query, 'longitude')
  if ((latitude === undefined) !== (longitude === undefined)) {
    const absent = latitude === undefined ? 'latitude' : 'longitude'
    throw invalidInput({ [absent]: fieldError('validation_required') })
  }
  const place =
    latitude === undefined || longitude === undefined ? undefined : { latitude, longitude }
  if (query.link !== undefined) {
    const link = readText(query, 'link', GEOCODE_LIMITS.linkLength)
    if (!isShortMapLink(link)) throw invalidInput({ link: fieldError('validation_invalid_url') })
    return { kind: 'link', link: findMapLink(link) ?? link, language }
  }
  if (query.q === undefined && place !== undefined) return { kind: 'reverse', at: place, language }
  const text = readText(query, 'q', GEOCODE_LIMITS.queryLength)
  return { kind: 'search', text, near: place, language }
}

const readText = (query: Query, name: 'q' | 'link', max: number): string => {
  const text = (query[name] ?? '').trim()
  if (text === '') throw invalidInput({ [name]: fieldError('validation_required') })
  if (text.length <= max) return text
  throw invalidInput({ [name]: fieldError('validation_max_text_constraint', { max }) })
}

const readDegrees = (query: Query, name: 'latitude' | 'longitude'): number | undefined => {
  if (query[name] === undefined) return undefined
  const { value, error } = readValue(sites.fields[name], query[name])
  if (error !== undefined) throw invalidInput({ [name]: withSentence(error) })
  return Number(value)
}
