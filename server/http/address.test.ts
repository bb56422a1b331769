import { expect, test } from 'vitest'

import { addressKey, isPrivate } from './address.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['192.0.2.7:51234', '192.0.2.7'],
  ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
  ['[::ffff:192.0.2.7]:51234', '192.0.2.7'],
])('%s is counted as %s', (address, key) => {
  expect(addressKey(address)).toBe(key)
})

test('addresses of this computer and of private networks are private', () => {
  for (const address of ['127.0.0.1', '::1', '::ffff:10.1.2.3', '172.18.0.5', 'fd00::7'])
    expect([address, isPrivate(address)]).toEqual([address, true])
  for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::1', '172.32.0.1'])
    expect([address, isPrivate(address)]).toEqual([address, false])
})
