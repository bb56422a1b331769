import { expect, test } from 'vitest'

import { nextLink } from './link.ts'

test.each([
  ['<https://a.example/b?page=2>; rel="next"', 'https://a.example/b?page=2'],
  ['<?offset=2>;rel=next', '?offset=2'],
  ['</a,b;c>; title="x, <y>; rel=next"; REL="prev Next"', '/a,b;c'],
  ['<1>; rel="prev", <2>; rel="next", <3>; rel="last"', '2'],
  ['<1>; rel="last" , <2> ; type=json ; rel = "next"', '2'],
  ['<1>; rel="nextest"', undefined],
  ['<1>; title="rel=next"', undefined],
  ['<1', undefined],
  ['', undefined],
])('the next page of %s', (header, target) => {
  expect(nextLink(header)).toBe(target)
})

test.each([
  '<',
  '<>',
  '<>;',
  '<a>;a="',
  '<a>;rel="next',
  '<a>; ',
  '<a>;rel',
  ' ',
  ',',
  '<a>;x="";',
  '<a>;a\t=\t',
])('a hostile header of %j is parsed in linear time', (piece) => {
  const header = piece.repeat(Math.ceil(100_000 / piece.length))
  // Quadratic time would take minutes; the runner ends a test long before.
  for (let times = 0; times < 20; times++) expect(nextLink(header)).toBeUndefined()
})
