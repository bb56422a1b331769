import { expect, test } from 'vitest'

import { createPasswords } from './password.ts'

const count = () => {
  let hashes = 0
  return { passwords: createPasswords({ onHash: () => (hashes += 1) }), hashes: () => hashes }
}

test('a password matches its hash, and every hash has its own salt', async () => {
  const { passwords, hashes } = count()
  const [one, other] = [await passwords.hash('geheim 密'), await passwords.hash('geheim 密')]
  expect(one).not.toBe(other)
  expect(await passwords.verify('geheim 密', one)).toBe(true)
  expect(await passwords.verify('geheim 密 ', one)).toBe(false)
  expect(hashes()).toBe(4)
})

test('a password is verified with the parameters of its hash, not the current ones', async () => {
  // Made by the reference implementation: argon2 somesalt -id -t 2 -k 65536 -p 1, "password".
  const foreign =
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  expect(await createPasswords().verify('password', foreign)).toBe(true)
  expect(await createPasswords().verify('Password', foreign)).toBe(false)
})

test('a missing or unreadable hash costs as much time as a wrong password', async () => {
  const { passwords, hashes } = count()
  expect(await passwords.verify('anything', undefined)).toBe(false)
  expect(await passwords.verify('anything', '')).toBe(false)
  expect(await passwords.verify('anything', '$2b$10$bcrypt')).toBe(false)
  expect(hashes()).toBe(3)
})

test('two hashes run concurrently, a hundred queue, and further ones are refused', async () => {
  const { passwords, hashes } = count()
  const settled = Promise.allSettled(
    Array.from({ length: 105 }, () => passwords.verify('anything', undefined)),
  )
  // Runs after all promises that settle without a hash.
  await new Promise<void>((resolve) => process.nextTick(resolve))
  expect(hashes()).toBe(2)
  const outcomes = await settled
  const refused = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  )
  expect(refused).toHaveLength(3)
  for (const reason of refused) expect(reason).toMatchObject({ status: 503, retryAfterS: 2 })
  expect(hashes()).toBe(102)
  expect(await passwords.verify('anything', undefined)).toBe(false)
})
