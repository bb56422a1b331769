import { describe, expect, test } from 'vitest'

import { makeSite } from '../../../tests/support/make.ts'
import type { Photo, SiteView } from '../../data/state.ts'
import { createPhotoProgress } from './photo-progress.ts'
import {
  categoriesOf,
  countRemaining,
  countPhotoEdits,
  coverOf,
  mergeStored,
  moveBy,
  moveFirst,
  moveTo,
  newFiles,
  orderToSave,
  recategorised,
  removedNames,
  setCategory,
  setRemoved,
  storedItems,
  type PhotoItem,
} from './photos.ts'
import { restoreSite, SITE_SUBJECT } from './site-draft.ts'
import { siteText } from './site-values.ts'

const photo = (name: string): Photo => ({ name, src: `/${name}`, category: '' })
const stored = ['a', 'b', 'c'].map(photo)
const file = new File(['x'], 'x.jpg')
const fresh: PhotoItem = { kind: 'new', key: 'x', file, category: '', removed: false }
const busy: PhotoItem = { kind: 'busy', key: 'y', name: 'y.jpg' }
const items = storedItems(stored)
const keys = (all: readonly PhotoItem[]) => all.map(({ key }) => key).join('')

describe('sorting', () => {
  test('moves by steps, to the front, and before or behind another', () => {
    expect(keys(moveBy(items, 'a', 1))).toBe('bac')
    expect(keys(moveBy(items, 'c', -1))).toBe('acb')
    expect(keys(moveBy(items, 'a', -1))).toBe('abc')
    expect(keys(moveBy(items, 'c', 1))).toBe('abc')
    expect(keys(moveFirst(items, 'c'))).toBe('cab')
    expect(keys(moveFirst(items, 'a'))).toBe('abc')
    expect(keys(moveTo(items, new Set('a'), { key: 'c', place: 'after' }))).toBe('bca')
    expect(keys(moveTo(items, new Set(['b', 'c']), { key: 'a', place: 'before' }))).toBe('bca')
    expect(keys(moveTo(items, new Set('a'), { key: 'a', place: 'before' }))).toBe('abc')
  })

  test('sends the order only if it differs from the upload order', () => {
    expect(orderToSave(items, stored)).toBeUndefined()
    expect(orderToSave([...items, fresh], stored)).toBeUndefined()
    expect(orderToSave(setRemoved(items, 'b', true), stored)).toBeUndefined()
    expect(orderToSave(moveBy(items, 'a', 1), stored)).toEqual(['b', 'a', 'c'])
    expect(orderToSave([fresh, ...items], stored)).toEqual([file, 'a', 'b', 'c'])
    const gone = setRemoved(moveFirst(items, 'c'), 'a', true)
    expect(orderToSave(gone, stored)).toEqual(['c', 'b'])
  })
})

test('the cover is the first photo that is not removed', () => {
  expect(coverOf(items)).toBe('a')
  expect(coverOf(setRemoved(items, 'a', true))).toBe('b')
  expect(coverOf([])).toBeUndefined()
})

test('removed photos are neither sent nor counted, and can be restored', () => {
  const all = [...items, fresh, busy]
  const less = setRemoved(setRemoved(all, 'x', true), 'b', true)
  expect([newFiles(all), removedNames(all), countRemaining(all)]).toEqual([[file], [], 5])
  expect([newFiles(less), removedNames(less), countRemaining(less)]).toEqual([[], ['b'], 3])
  expect(setRemoved(setRemoved(less, 'x', false), 'b', false)).toEqual(all)
})

test('photos are changed by adding, removing and sorting, and unchanged after an undo', () => {
  const removed = setRemoved(items, 'b', true)
  expect(countPhotoEdits(items, stored)).toBe(0)
  expect(countPhotoEdits([...items, fresh], stored)).toBe(1)
  expect(countPhotoEdits([...items, { ...fresh, removed: true }], stored)).toBe(0)
  expect(countPhotoEdits(removed, stored)).toBe(1)
  expect(countPhotoEdits(setRemoved(removed, 'b', false), stored)).toBe(0)
  expect(countPhotoEdits(moveBy(items, 'a', 1), stored)).toBe(1)
  expect(countPhotoEdits(moveBy(moveBy(items, 'a', 1), 'a', -1), stored)).toBe(0)
})

describe('the categories of photos', () => {
  const entrance = setCategory([...items, fresh], 'a', 'ENTRANCE')
  const both = setCategory(entrance, 'x', 'CHARGER')

  test('are sent for photos that stay, and counted as changes for stored ones', () => {
    expect(recategorised(both).map(({ key }) => key)).toEqual(['a'])
    expect(countPhotoEdits(entrance, stored)).toBe(2)
    expect(countPhotoEdits(setCategory(entrance, 'a', ''), stored)).toBe(
      countPhotoEdits([...items, fresh], stored),
    )
    expect(categoriesOf(setRemoved(both, 'b', true))).toEqual([
      ['a', 'ENTRANCE'],
      ['c', ''],
      [file, 'CHARGER'],
    ])
    expect(recategorised(setRemoved(both, 'a', true))).toEqual([])
  })

  test('follow the stored photo unless the form changed them', () => {
    const now = [
      { ...photo('a'), category: 'OTHER' as const },
      { ...photo('b'), category: 'LOCATION' as const },
      photo('x_1'),
    ]
    const merged = mergeStored(both, now, () => 'x_1')
    expect(categoriesOf(merged)).toEqual([
      ['a', 'ENTRANCE'],
      ['b', 'LOCATION'],
      ['x_1', 'CHARGER'],
    ])
    expect(recategorised(merged).map(({ key }) => key)).toEqual(['a', 'x'])
  })
})

describe('after a partial save', () => {
  const before = [fresh, ...setRemoved(items, 'b', true)]

  test('stored photos keep their places, failed ones stay new, removals stay marked', () => {
    const now = [...stored, photo('x_1')]
    const merged = mergeStored(before, now, () => 'x_1')
    expect(keys(merged)).toBe('xabc')
    expect(merged[0]).toEqual({
      kind: 'stored',
      key: 'x',
      photo: photo('x_1'),
      category: '',
      removed: false,
    })
    expect(removedNames(merged)).toEqual(['b'])
    expect(orderToSave(merged, now)).toEqual(['x_1', 'a', 'c'])
    expect(mergeStored(before, stored, () => undefined)[0]).toBe(fresh)
  })

  test('photos changed by other devices, or with an unknown name, are as stored', () => {
    const now = [photo('b'), photo('c'), photo('other')]
    expect(keys(mergeStored(before, now, () => null))).toBe('bcother')
  })
})

describe('an order that another device has stored meanwhile', () => {
  const site = (photos: readonly Photo[]): SiteView => ({
    ...makeSite('quay'),
    photos,
    connectors: [],
  })
  const theirs = site(['c', 'a', 'd', 'b'].map(photo))
  const text = siteText(site(stored), 'en')
  /** What is left of a form with these photos in an open form, and in one opened with its draft. */
  const shownOver = (mine: readonly PhotoItem[]) => {
    const { values, files } = SITE_SUBJECT.writeDraft(text, text, { items: mine, stored })
    const draft = { at: 0, isNew: false, values, files, lostFiles: 0, isQueued: false }
    const opened = { initial: text, photos: theirs.photos, newId: () => 'x', draft }
    return [
      SITE_SUBJECT.readStored(theirs, { items: mine, stored }, 'en').files,
      restoreSite(opened).files,
    ]
  }

  test.each([
    ['is taken over', items, 'cadb', 0],
    ['is taken over with new photos behind it', [...items, fresh], 'cadbx', 1],
    [
      'is taken over with the photos that are removed here',
      setRemoved(items, 'a', true),
      'cadb',
      1,
    ],
    ['does not undo the order of this device', moveFirst(items, 'b'), 'bacd', 1],
  ])('%s', (_name, mine, order, changes) => {
    for (const shown of shownOver(mine)) {
      expect(keys(shown.items)).toBe(order)
      expect(countPhotoEdits(shown.items, shown.stored)).toBe(changes)
    }
  })
})

test('the progress of a save is counted, and reset by the next', () => {
  const progress = createPhotoProgress()
  const other = new File(['z'], 'z.jpg')
  let told = 0
  const stop = progress.subscribe(() => (told += 1))
  progress.report(file, { at: 'waiting' })
  progress.report(other, { at: 'sending', fraction: 0.5 })
  const half = progress.sum()
  progress.report(other, { at: 'sending', fraction: 0.75 })
  expect(progress.sum()).toBe(half)
  // One request carries all of them.
  progress.report(file, { at: 'sending', fraction: 0.25 })
  expect(progress.sum()).toEqual({ done: 0, total: 2, percent: 50 })
  progress.report(file, { at: 'stored', name: 'x_1' })
  expect(progress.sum()).toEqual({ done: 1, total: 2 })
  expect(progress.phaseOf(other)).toEqual({ at: 'sending', fraction: 0.75 })
  progress.report(other, undefined)
  expect(progress.sum()).toEqual({ done: 1, total: 1 })
  expect(told).toBe(6)
  stop()
  progress.clear()
  expect([progress.sum(), progress.phaseOf(file), told]).toEqual([
    { done: 0, total: 0 },
    undefined,
    6,
  ])
})
