import type { FastifyInstance } from 'fastify'

import { API, type AuthResult } from '#domain/api.ts'
import type { Collection } from '#domain/collection.ts'
import { findCollection } from '#domain/collections.ts'
import { ApiError } from '#domain/error.ts'

import { callerOf } from '../http/identity.ts'
import { sendJson } from '../http/respond.ts'
import { picksBelow, readPicks } from '../records/records.ts'
import type { Records } from '../records/records.ts'
import type { Auth, SignedIn } from './auth.ts'

type Params = { collection: string }
type Query = { fields?: string; expand?: string }

/** Sign-in over HTTP (record interface 5). */
export const authRoutes = (app: FastifyInstance, auth: Auth, records: Records): void => {
  const answer = async (
    collection: Collection,
    signedIn: SignedIn,
    query: Query,
    meta?: AuthResult<unknown>['meta'],
  ): Promise<string> => {
    const picks = readPicks(query.fields ?? '')
    const { body } = await records.get(signedIn.caller, collection, signedIn.caller.id ?? '', {
      picks: picksBelow(picks, 'record') || undefined,
      expand: query.expand ?? '',
    })
    const parts = {
      token: JSON.stringify(signedIn.token),
      record: body,
      ...(meta !== undefined && { meta: JSON.stringify(meta) }),
    }
    const asked = Object.entries(parts).filter(([key]) => picksBelow(picks, key) !== false)
    return `{${asked.map(([key, value]) => `"${key}":${value}`).join(',')}}`
  }

  app.get<{ Params: Params; Querystring: Query }>(
    API.authMethods(':collection'),
    async (request, reply) => {
      authCollection(request.params.collection)
      const providers = await auth.authMethods()
      const methods = {
        mfa: { enabled: false, duration: 0 },
        otp: { enabled: false, duration: 0 },
        password: { enabled: false, identityFields: [] },
        oauth2: { enabled: providers.length > 0, providers },
        authProviders: providers.map(({ logo: _logo, ...provider }) => provider),
        usernamePassword: false,
        emailPassword: false,
      }
      const picks = readPicks(request.query.fields ?? '')
      const asked = Object.entries(methods).filter(([key]) => picksBelow(picks, key) !== false)
      return reply.header('cache-control', 'no-store').send(Object.fromEntries(asked))
    },
  )

  app.post<{ Params: Params; Querystring: Query }>(
    API.authWithOAuth2(':collection'),
    async (request, reply) => {
      const collection = authCollection(request.params.collection)
      const body = readBody(request.body)
      const text = (...names: string[]) =>
        names.map((name) => body.get(name)).find((value) => typeof value === 'string') ?? ''
      const { profile, isNew, ...signedIn } = await auth.signIn({
        provider: text('provider'),
        code: text('code'),
        codeVerifier: text('codeVerifier'),
        redirectURL: text('redirectURL', 'redirectUrl'),
      })
      return sendJson(
        reply.header('cache-control', 'no-store'),
        await answer(collection, signedIn, request.query, {
          id: profile.id,
          name: profile.name,
          username: profile.username,
          email: profile.email,
          avatarURL: profile.avatarURL,
          avatarUrl: profile.avatarURL,
          accessToken: profile.accessToken,
          refreshToken: profile.refreshToken,
          expiry: profile.expires?.toISOString().replace('T', ' ') ?? '',
          rawUser: profile.raw,
          isNew,
        }),
      )
    },
  )

  app.post<{ Params: Params; Querystring: Query }>(
    API.authRefresh(':collection'),
    async (request, reply) => {
      const collection = authCollection(request.params.collection)
      const signedIn = await auth.refresh(callerOf(request))
      return sendJson(
        reply.header('cache-control', 'no-store'),
        await answer(collection, signedIn, request.query),
      )
    },
  )
}

const authCollection = (name: string): Collection => {
  const collection = findCollection(name)
  if (collection?.auth) return collection
  throw new ApiError(404, 'Missing or invalid auth collection context.')
}

const readBody = (body: unknown): ReadonlyMap<string, unknown> => {
  if (body instanceof URLSearchParams) return new Map(body.entries())
  if (typeof body === 'object' && body !== null && !Array.isArray(body) && !('pipe' in body))
    return new Map(Object.entries(body))
  if (body === undefined || body === null) return new Map()
  throw new ApiError(400, 'An error occurred while loading the submitted data.')
}
