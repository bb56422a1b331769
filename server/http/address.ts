import ipaddr from 'ipaddr.js'

const GROUPS_OF_A_NETWORK = 4

/**
 * The key by which the requests of one client are counted: an IPv4 address, or the /64 network of an IPv6 address,
 * because a single customer has all addresses of such a network.
 */
export const addressKey = (named: string): string => {
  const address = withoutPort(named)
  if (!address.includes(':')) return address.slice(0, 64)
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [plain = ''] = address.toLowerCase().split('%')
  const [left = '', right] = plain.split('::')
  const groups = left.split(':').filter(Boolean)
  const behind = right?.split(':').filter(Boolean) ?? []
  const zeros = Array<string>(Math.max(0, 8 - groups.length - behind.length)).fill('0')
  const all = right === undefined ? groups : [...groups, ...zeros, ...behind]
  return `${all.slice(0, GROUPS_OF_A_NETWORK).join(':')}::/64`
}

/** Some proxies also name the port of the connection, which differs each time. */
const withoutPort = (address: string): string =>
  address.replace(/^\[(.+)\](?::\d+)?$/, '$1').replace(/^([^:]+):\d+$/, '$1')

/** Whether an address belongs to this computer or to a private network, such as the address of a reverse proxy. */
export const isPrivate = (address: string): boolean =>
  ipaddr.isValid(address) && PRIVATE.includes(ipaddr.process(address).range())

const PRIVATE: readonly string[] = ['loopback', 'private', 'uniqueLocal']
