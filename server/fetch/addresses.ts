import { lookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'

import ipaddr from 'ipaddr.js'

/** Addresses of clouds that look public, but give virtual machines their secrets. */
const METADATA = new Set(['168.63.129.16'])

/** The assigned part of IPv6. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address belongs to the public internet: not loopback, private, link-local, carrier-grade NAT, or in
 * another special-purpose range. An IPv4 address inside IPv6 counts as that IPv4 address.
 */
export const isPublicAddress = (address: string): boolean => {
  // Without the zone of a link-local address.
  const text = address.replace(/%.*$/, '')
  if (!ipaddr.isValid(text)) return false
  const plain = ipaddr.process(text)
  // Other IPv6 addresses lead nowhere, or to an embedded IPv4 address (RFC 4291, 2.5.5.1).
  const isAssigned = plain.kind() === 'ipv4' || plain.match(GLOBAL_UNICAST)
  return plain.range() === 'unicast' && isAssigned && !METADATA.has(plain.toString())
}

/** A host has an address that must not be requested. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError'
}

/** Resolves a name to all its addresses. */
export type Resolve = (
  hostname: string,
  done: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void

const resolveBySystem: Resolve = (hostname, done) => {
  lookup(hostname, { all: true }, done)
}

/**
 * A `lookup` that returns only allowed addresses. The connection is made to the same addresses that were checked, so
 * DNS rebinding has no effect. A name is refused if any of its addresses is not allowed.
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
