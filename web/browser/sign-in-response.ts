/**
 * Returns whether a query string is the response of a sign-in provider (OpenID Connect Core, 3.1.2.5 and
 * 3.1.2.6).
 */
export const isAnswer = (search: string): boolean => {
  const params = new URLSearchParams(search)
  return params.has('code') || params.has('error')
}
