import type { CustomFetch } from 'openid-client'

import { MiB } from '#domain/limits.ts'

/** Metadata, keys, tokens and profiles have a few KiB. */
const MAX_BYTES = MiB

/** The response of a provider is larger than any that is needed. */
class ResponseTooLarge extends Error {
  readonly code = 'RESPONSE_TOO_LARGE'
}

/** Sends a request to the provider. Reading more than the maximum size of its unpacked response fails. */
export const providerFetch: CustomFetch = async (url, { body: sent, ...options }) => {
  const { body, status, headers } = await fetch(url, { ...options, body: sent ?? null })
  let bytes = 0
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.length
      if (bytes > MAX_BYTES) throw new ResponseTooLarge()
      controller.enqueue(chunk)
    },
  })
  // `Response` refuses other statuses, which are errors all the same.
  return new Response(body?.pipeThrough(limit) ?? null, { status: Math.min(status, 599), headers })
}
