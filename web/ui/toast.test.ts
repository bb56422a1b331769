import { expect, test, vi } from 'vitest'

import { pauseToast, toast, toasts } from './toast.ts'

test('a name cannot reverse the sentence around it', () => {
  toast('live\u202Egnp.evil is saved.', { lasting: true })
  expect(toasts.get().map(({ text }) => text)).toEqual(['livegnp.evil is saved.'])
})

test('the timeout of a message pauses while it is hovered, and then restarts', () => {
  vi.useFakeTimers()
  toasts.set([])
  toast('Draft discarded.', { action: { label: 'Undo', run: () => {} } })
  const [{ id } = { id: 0 }] = toasts.get()
  vi.advanceTimersByTime(7000)
  pauseToast(id, true)
  vi.advanceTimersByTime(60_000)
  expect(toasts.get()).toHaveLength(1)
  pauseToast(id, false)
  vi.advanceTimersByTime(7999)
  expect(toasts.get()).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(toasts.get()).toEqual([])
  vi.useRealTimers()
})
