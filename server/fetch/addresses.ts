import { lookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'

import ipaddr from 'ipaddr.js'

/** Addresses of clouds that answer their machines with secrets, and look like those of the internet. */
const METADATA = new Set(['168.63.129.16'])

/** What is assigned of IPv6. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address is one of the internet at large: neither loopback, private, link-local, of a carrier, nor one of
 * the many ranges with a meaning of their own. An IPv4 address inside IPv6 counts as what it is.
 */
export const isPublicAddress = (address: string): boolean => {
  // Without the zone of a link-local address.
  const text = address.replace(/%.*$/, '')
  if (!ipaddr.isValid(text)) return false
  const plain = ipaddr.process(text)
  // All others of IPv6 lead nowhere, or to an IPv4 address inside (RFC 4291, 2.5.5.1).
  const isAssigned = plain.kind() === 'ipv4' || plain.match(GLOBAL_UNICAST)
  return plain.range() === 'unicast' && isAssigned && !METADATA.has(plain.toString())
}

/** No address of a host may be requested. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError'
}

/** Resolves a name to all of its addresses. */
export type Resolve = (
  hostname: string,
  done: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void

const resolveBySystem: Resolve = (hostname, done) => {
  lookup(hostname, { all: true }, done)
}

/**
 * A `lookup` for a connection that answers allowed addresses only. The connection is made to the very addresses that were
 * checked, so a name cannot lead elsewhere in between; one that is not allowed among them is enough to refuse the name.
 */
export const pinnedLookup =
  (
    isAllowed: (address: string) => boolean = isPublicAddress,
    resolve: Resolve = resolveBySystem,
  ): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, (error, addresses) => {
      const [first] = addresses ?? []
      if (error !== null || first === undefined) return done(error ?? new Error('no address'), '')
      if (!addresses.every(({ address }) => isAllowed(address)))
        return done(new PrivateAddressError(`${hostname} leads into a private network`), '')
      if (options.all === true) done(null, [...addresses])
      else done(null, first.address, first.family)
    })
  }
