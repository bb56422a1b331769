import { expect, test } from 'vitest'

import { slugOf } from './site-address.ts'

test.each([
  ['Harbour Lane Quay', 'harbour-lane-quay'],
  ['  Straße des 17. Juni / Öl & Café ', 'strasse-des-17-juni-ol-cafe'],
  ['L’Île-d’Yeu (ﬁn)', 'l-ile-d-yeu-fin'],
  ['Αθήνα', encodeURIComponent('αθηνα')],
  ['新宿 ガレージ', encodeURIComponent('新宿-ガレージ')],
  ['</script>"\'../..', 'script'],
  ['⚡⚡', 'site'],
  ['', 'site'],
  ['a '.repeat(100), `${'a-'.repeat(29)}a`],
])('the slug of %j is %j', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})
