import { expect, test } from 'vitest'
import { formatWait } from '#domain/ago.ts'
import { isOverdue, readTicketNumber } from '#domain/tickets/ticket.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const before = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000).toISOString()

test('only an open ticket is overdue, and only after the promised hours', () => {
  const is = (status: 'open' | 'waiting' | 'closed', minutes: number) =>
    isOverdue({ status, last_customer_message_at: before(minutes) }, 24, NOW)
  expect(is('open', 24 * 60)).toBe(false)
  expect(is('open', 24 * 60 + 1)).toBe(true)
  expect(is('waiting', 9_999)).toBe(false)
  expect(is('closed', 9_999)).toBe(false)
})

test.each([
  ['41', 41],
  [' #41 ', 41],
  ['Ticket 41', 41],
  ['ticket41', 41],
  ['41 labels', undefined],
  ['1234567890', undefined],
  ['', undefined],
])('a search for %j means ticket %j', (search, number) => {
  expect(readTicketNumber(search)).toBe(number)
})

test.each([
  [0, '0 min'],
  [59, '59 min'],
  [60, '1 h'],
  [27 * 60 + 59, '27 h'],
  [47 * 60 + 59, '47 h'],
  [48 * 60, '2 days'],
  [-5, '0 min'],
])('a customer who waits for %j minutes waits %s', (minutes, words) => {
  expect(formatWait(before(minutes), NOW)).toBe(words)
})
