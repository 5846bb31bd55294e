import { describe, expect, test } from 'vitest'
import { createTryCounter, REMEMBERED_KEYS } from '#domain/try-counter.ts'

const START = Date.parse('2026-11-20T10:00:00.000Z')

function openCounter(keys?: number) {
  const counter = createTryCounter({ count: 3, seconds: 60 }, keys)
  /** Counts a try, unless it is one too many. */
  const take = (key: string, seconds = 0) => {
    const refusal = counter.check(key, START + seconds * 1000)
    if (!refusal) counter.add(key, START + seconds * 1000)
    return refusal
  }
  return { ...counter, take }
}

describe('a counter of tries', () => {
  test('allows a number of tries, then says how long to wait', () => {
    const { take } = openCounter()
    expect([take('a'), take('a', 10), take('a', 20)]).toEqual([undefined, undefined, undefined])
    expect(take('a', 20.5)).toEqual({ retryAfter: 40, isFirst: true })
    expect(take('a', 59.5)).toEqual({ retryAfter: 1, isFirst: false })
  })

  test('begins anew when the window is over, however often one tried in between', () => {
    const { take } = openCounter()
    for (let i = 0; i < 100; i++) take('a')
    expect(take('a', 59.999)).toBeDefined()
    expect([60, 60, 60].map((at) => take('a', at))).toEqual([undefined, undefined, undefined])
    expect(take('a', 61)).toEqual({ retryAfter: 59, isFirst: true })
  })

  test('counts each key by itself', () => {
    const { take } = openCounter()
    for (let i = 0; i < 4; i++) take('a')
    expect(take('b')).toBeUndefined()
  })

  test('a check alone counts nothing', () => {
    const { check, add } = openCounter()
    for (let i = 0; i < 10; i++) expect(check('a', START)).toBeUndefined()
    for (let i = 0; i < 3; i++) add('a', START)
    expect(check('a', START)).toEqual({ retryAfter: 60, isFirst: true })
  })

  test('allows a key that many share a multiple of the tries', () => {
    const { check, add } = openCounter()
    for (let i = 0; i < 11; i++) add('a', START)
    expect(check('a', START, 4)).toBeUndefined()
    add('a', START)
    expect(check('a', START, 4)).toEqual({ retryAfter: 60, isFirst: true })
  })

  test('waits no longer than a window when the clock is set back', () => {
    const { take } = openCounter()
    for (let i = 0; i < 4; i++) take('a', 3600)
    expect(take('a', 0)).toBeUndefined()
  })

  test('remembers a fixed number of keys, and longest those that come back', () => {
    const { take, size } = openCounter(100)
    for (let i = 0; i < 4; i++) take('scraper')
    for (let i = 0; i < 10_000; i++) {
      take(`flood ${i}`)
      if (i % 50 === 0) expect(take('scraper')).toBeDefined()
      expect(size()).toBeLessThanOrEqual(200)
    }
    expect(take('flood 1')).toBeUndefined()
  })

  test('is not made to forget by checks of other keys, which count nothing', () => {
    const { add, check, size } = openCounter(100)
    for (let i = 0; i < 3; i++) add('victim', START)
    for (let i = 0; i < 10_000; i++) expect(check(`flood ${i}`, START)).toBeUndefined()
    expect(check('victim', START)).toBeDefined()
    expect(size()).toBe(1)
  })

  test('takes back a try that is not to count', () => {
    const { add, check, remove } = openCounter()
    for (let i = 0; i < 3; i++) add('a', START)
    remove('a', START)
    remove('b', START)
    expect(check('a', START)).toBeUndefined()
    add('a', START)
    expect(check('a', START)).toBeDefined()
  })

  test('takes a few hundred kilobytes when a million addresses come', () => {
    const { take, size } = openCounter()
    for (let i = 0; i < 1_000_000; i++) take(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`)
    expect(size()).toBeLessThanOrEqual(2 * REMEMBERED_KEYS)
  })
})
