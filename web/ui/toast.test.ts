import { expect, test } from 'vitest'

import { toast, toasts } from './toast.ts'

test('a name cannot turn round the sentence that it stands in', () => {
  toast('live\u202Egnp.evil is saved.', { lasting: true })
  expect(toasts.get().map(({ text }) => text)).toEqual(['livegnp.evil is saved.'])
})
