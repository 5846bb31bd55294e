import { expect, test } from 'vitest'
import { createMailBudget } from '#domain/mail-budget.ts'

const START = Date.parse('2026-11-20T10:00:00.000Z')
const MINUTE = 60_000

/** Sends as many mails as a network may, with 200 an hour for all. */
function openBudget() {
  const budget = createMailBudget({ count: 200, seconds: 3600 })
  const send = (sender: string, minutes = 0) => {
    const refusal = budget.check(sender, START + minutes * MINUTE)
    if (!refusal) budget.add(sender, START + minutes * MINUTE)
    return refusal
  }
  const sendAll = (sender: string, minutes = 0) => {
    let sent = 0
    while (!send(sender, minutes)) sent++
    return sent
  }
  return { ...budget, send, sendAll }
}

test('a network that had mails leaves a quarter to those that had none', () => {
  const { send, sendAll } = openBudget()
  expect(sendAll('a')).toBe(150)
  expect(send('a')).toMatchObject({ retryAfter: 18 })
  for (let n = 0; n < 50; n++) expect(send(`quiet ${n}`)).toBeUndefined()
  expect(send('one more')).toMatchObject({ retryAfter: 18 })
})

test('the budget refills continuously, so the wait is shorter than an hour', () => {
  const { send, sendAll } = openBudget()
  sendAll('a')
  for (let n = 0; n < 50; n++) send(`quiet ${n}`)
  expect(send('a')?.retryAfter).toBe(51 * 18)
  expect(send('quiet', 0.29)).toBeDefined()
  expect(send('quiet', 0.3)).toBeUndefined()
  expect(sendAll('another', 30.3)).toBe(50)
})

test('a network that was quiet for an hour is a quiet one again', () => {
  const { send, sendAll } = openBudget()
  sendAll('a')
  sendAll('b', 59.9)
  expect(send('a', 59.9)).toBeDefined()
  sendAll('b', 60)
  expect(send('a', 60)).toBeUndefined()
})

test('never more than a full hour is saved up, nor lost by a clock that is set back', () => {
  const { sendAll } = openBudget()
  expect(sendAll('a', 10_000)).toBe(150)
  expect(sendAll('b', 0)).toBe(1)
  expect(sendAll('c', 60)).toBe(150)
})

test('a check counts nothing, and the first refusal in an hour is marked', () => {
  const { check, send, sendAll } = openBudget()
  for (let n = 0; n < 1000; n++) expect(check('a', START)).toBeUndefined()
  sendAll('a')
  for (let n = 0; n < 50; n++) send(`quiet ${n}`)
  expect(check('a', START)?.isFirst).toBe(false)
  expect(check('a', START + 30 * MINUTE)).toBeUndefined()
  sendAll('a', 61)
  expect(check('a', START + 61 * MINUTE)?.isFirst).toBe(false)
})
