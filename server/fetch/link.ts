/** A link with its parameters (RFC 8288). Each match begins where the last one ended, so the time is linear. */
const LINK = /[\s,]*<([^<>]*)>((?:\s*;\s*[^\s=;,"]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]*))?)*)/y
const RELATION = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]*))/i

/** The target of the link to the next page in a `Link` header, unresolved. */
export const nextLink = (header: string): string | undefined => {
  LINK.lastIndex = 0
  for (let found = LINK.exec(header); found !== null; found = LINK.exec(header)) {
    const [, target, parameters = ''] = found
    const [, quoted, bare = ''] = RELATION.exec(parameters) ?? []
    if ((quoted ?? bare).toLowerCase().split(/\s+/).includes('next')) return target
  }
  return undefined
}
