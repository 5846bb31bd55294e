import { expect, test } from 'vitest'
import { createScanCounter } from '#domain/scans/scan-counter.ts'

const code = (qr_id: string, lost_since: string | null = null) => ({ qr_id, lost_since })

test('scans are counted by code, and taken once, those that came first', () => {
  const counter = createScanCounter()
  let woken = 0
  counter.watch(() => woken++)
  for (const qrId of ['A', 'B', 'A', 'C']) counter.note(code(qrId))
  expect(woken).toBe(1)
  expect([...counter.takeOthers(2)]).toEqual([
    ['A', 2],
    ['B', 1],
  ])
  expect([...counter.takeOthers(9)]).toEqual([['C', 1]])
  expect(counter.isEmpty()).toBe(true)
  counter.note(code('A'))
  expect(woken).toBe(2)
})

test('with 20,000 codes no other is counted, unless it is lost', () => {
  const counter = createScanCounter()
  for (let n = 0; n < 20_000; n++) counter.note(code(String(n)))
  counter.note(code('one more'))
  counter.note(code('0'))
  counter.note(code('lost', '2026-11-19T10:00:00.000Z'))
  const taken = counter.takeOthers(30_000)
  expect([taken.size, taken.get('0')]).toEqual([20_000, 2])
  expect([...counter.takeLost(9)]).toEqual([['lost', 1]])
})
