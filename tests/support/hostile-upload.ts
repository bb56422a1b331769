import type PocketBase from 'pocketbase'

import { API } from '#domain/paths.ts'
import { BUSINESSES, SITES } from '#domain/collection.ts'

import type { HostileFile } from './hostile-files.ts'
import { siteBody } from './owner.ts'

/** Quotes names in forms as browsers do; other characters stay unchanged. */
const quoted = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const form = (fields: object, field: string, { filename, type, bytes }: HostileFile): Buffer => {
  const texts = Object.entries(fields).map(
    ([name, value]) =>
      `--boundary\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`,
  )
  return Buffer.concat([
    Buffer.from(
      `${texts.join('')}--boundary\r\ncontent-disposition: form-data; name="${field}"; filename="${quoted(filename)}"\r\ncontent-type: ${type}\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n--boundary--\r\n'),
  ])
}

/** A record, or its field errors. */
interface Answer {
  readonly id: string
  readonly collectionName: string
  readonly data?: Readonly<Record<string, { readonly code: string }>>
  readonly [field: string]: unknown
}

/** Uploads a file without a regular client, as the photo of a new site or the logo of a business. */
export const sendFile = async (
  client: PocketBase,
  business: string,
  file: HostileFile,
  asLogo: boolean,
) => {
  const [path, fields, field] = asLogo
    ? [API.record(BUSINESSES, business), {}, 'logo']
    : [API.records(SITES), siteBody(business), 'photos']
  const answer = await fetch(client.baseURL + path, {
    method: asLogo ? 'PATCH' : 'POST',
    headers: {
      authorization: client.authStore.token,
      'content-type': 'multipart/form-data; boundary=boundary',
    },
    body: new Uint8Array(form(fields, field, file)),
  })
  return { field, status: answer.status, body: (await answer.json()) as Answer }
}
