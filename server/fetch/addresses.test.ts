import { expect, test } from 'vitest'

import { PrivateAddressError, isPublicAddress, pinnedLookup } from './addresses.ts'

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.31.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  // The form in which the URL parser writes [::127.0.0.1].
  '::7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '64:ff9b::a00:1',
  '2002:a00:1::1',
  '2001:db8::1',
  'fd00::1',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  'no address',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['142.250.1.1', '2a00:1450:4001::1', '::ffff:142.250.1.1'])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test('a name is refused if one of its addresses is private', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  pinnedLookup(isPublicAddress, (_, done) =>
    done(null, [
      { address: '142.250.1.1', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]),
  )('feeds.example', { all: true }, (error) => resolve(error))
  expect(await promise).toBeInstanceOf(PrivateAddressError)
})
