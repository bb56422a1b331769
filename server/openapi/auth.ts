import type { Collection } from '#domain/collection.ts'
import { MISCONFIGURED } from '#domain/error.ts'
import { API, NOT_OFFERED, notOfferedPath, OAUTH_PROVIDER, SERVICE_API } from '#domain/paths.ts'

import {
  ID,
  NOTHING,
  type Schema,
  answers,
  anyObject,
  bodyOf,
  bool,
  inPath,
  object,
  ok,
  ref,
  strings,
  text,
} from './components.ts'
import { schemaName } from './record-schemas.ts'

const PROVIDER = object({
  name: { const: OAUTH_PROVIDER },
  displayName: text,
  logo: text,
  state: text,
  authURL: text,
  authUrl: text,
  codeVerifier: text,
  codeChallenge: text,
  codeChallengeMethod: text,
  issuer: text,
})
const SWITCH = object({ enabled: bool, duration: { type: 'integer' } })

/** Describes the POST requests of one collection. */
const postOf =
  (collection: Collection) =>
  (
    operationId: string,
    summary: string,
    body: Schema,
    success: Schema,
    errors: readonly number[],
  ): Schema => ({
    post: {
      tags: [collection.name],
      operationId: operationId + schemaName(collection),
      summary,
      ...body,
      ...answers(success, ...errors),
    },
  })

/** The sign-in methods, sessions and mails of the accounts of a collection. */
export const authPaths = (collection: Collection): Schema => ({
  [API.authMethods(collection.name)]: {
    get: {
      tags: [collection.name],
      operationId: `authMethods${schemaName(collection)}`,
      summary: 'List the sign-in methods',
      ...answers(
        ok(
          'The enabled methods.',
          object(
            {
              mfa: SWITCH,
              otp: SWITCH,
              password: object({ enabled: bool, identityFields: { type: 'array', items: text } }),
              oauth2: object(
                {
                  enabled: bool,
                  providers: { type: 'array', items: PROVIDER },
                  problem: { const: MISCONFIGURED },
                },
                ['enabled', 'providers'],
              ),
              authProviders: { type: ['array', 'null'], items: anyObject },
              usernamePassword: bool,
              emailPassword: bool,
            },
            // The SDK requires these; the other fields exist only for its older versions.
            ['mfa', 'otp', 'password', 'oauth2'],
          ),
        ),
      ),
    },
  },
  ...sessionPaths(collection),
  ...mailPaths(collection),
  ...Object.fromEntries(
    NOT_OFFERED.map(({ action, why }) => [
      notOfferedPath(collection.name, action),
      postOf(collection)(camelCase(action), why, {}, {}, [403]),
    ]),
  ),
})

const sessionPaths = (collection: Collection): Schema => {
  const { name: self } = collection
  const post = postOf(collection)
  const session = { token: text, record: ref(schemaName(collection)), meta: anyObject }
  const signIn = ok('A token and the record of its account.', object(session, ['token', 'record']))
  return {
    [API.authWithPassword(self)]: post(
      'authWithPassword',
      'Sign in with a password',
      bodyOf(strings('identity', 'password')),
      signIn,
      [400],
    ),
    [API.authWithOAuth2(self)]: post(
      'authWithOAuth2',
      'Sign in with the response of the sign-in provider',
      bodyOf(
        object(
          {
            provider: { const: OAUTH_PROVIDER },
            code: text,
            error: { ...text, description: 'The error of the provider, in place of a code.' },
            codeVerifier: text,
            redirectURL: text,
            createData: anyObject,
          },
          ['provider'],
        ),
      ),
      signIn,
      [400, 403],
    ),
    [API.authRefresh(self)]: post(
      'authRefresh',
      'Refresh the token of a valid session',
      {},
      signIn,
      [401, 403],
    ),
    [API.endSessions(self)]: post(
      'endSessions',
      'End all sessions of the account, including this one',
      {},
      NOTHING,
      [401, 403],
    ),
    [SERVICE_API.impersonate(self, '{id}')]: {
      parameters: [inPath('id', ID)],
      ...post(
        'impersonate',
        'Get a token for another account (superusers only)',
        bodyOf(object({ duration: { type: 'integer', description: 'Seconds.' } }, [])),
        signIn,
        [400, 403, 404],
      ),
    },
  }
}

/** The requests about mails: the fields of their bodies, and what they do. */
const MAIL_REQUESTS = [
  ['requestPasswordReset', ['email'], 'Send an email with a link to set a new password'],
  ['confirmPasswordReset', ['token', 'password', 'passwordConfirm'], 'Set a new password'],
  ['requestVerification', ['email'], 'Send an email with a link to confirm the address'],
  ['confirmVerification', ['token'], 'Confirm the address'],
] as const

const mailPaths = (collection: Collection): Schema =>
  Object.fromEntries(
    MAIL_REQUESTS.map(([name, fields, summary]) => [
      API[name](collection.name),
      postOf(collection)(name, summary, bodyOf(strings(...fields)), NOTHING, [400]),
    ]),
  )

const camelCase = (words: string): string =>
  words.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
