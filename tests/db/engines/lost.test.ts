import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { UNREACHABLE } from '#db/errors.ts'
import { addressOf, asThrown, isLost, isOutdated, openPool, withClient } from '#db/postgres/pool.ts'
import { freePort } from '#tests/support/server.ts'

const answered = (code: string, more: object = {}) =>
  Object.assign(new pg.DatabaseError('refused', 7, 'error'), { code, ...more })
const failed = (code: string) => Object.assign(new Error(code), { code, syscall: 'connect' })

test.each([
  ['a server that stops', answered('57P01')],
  ['a server that crashed', answered('57P02')],
  ['a server that starts', answered('57P03')],
  ['a server with too many connections', answered('53300')],
  ['a broken connection', answered('08006')],
  ['a refused connection', failed('ECONNREFUSED')],
  ['a name with two addresses that refuse', new AggregateError([failed('a'), failed('b')])],
  ['a connection that ended', new Error('Connection terminated unexpectedly')],
  ['a connection that is not made in time', new Error('timeout expired')],
  ['an answer that does not come', new Error('Query read timeout')],
])('%s is not reached, and is asked again', (_, error) => {
  expect(isLost(error)).toBe(true)
  const thrown = asThrown(error)
  expect(thrown).toMatchObject({ code: UNREACHABLE, cause: error })
  expect(asThrown(thrown)).toBe(thrown)
})

test.each([
  ['a row that is there already', answered('23505')],
  ['a collision', answered('40001')],
  ['a statement that ran too long', answered('57014')],
  ['a wait for a lock', answered('55P03')],
  ['a fault of the program', new TypeError('x is not a function')],
  ['a mixture', new AggregateError([failed('a'), new TypeError('x')])],
  ['something else', 'timeout expired'],
])('%s is an answer', (_, error) => {
  expect(isLost(error)).toBe(false)
  expect(asThrown(error)).toBe(error)
})

test('an error about a refused row contains none of its values, so the log gets none', () => {
  const detail = 'Key (email)=(asha@example.in) already exists.'
  expect(asThrown(answered('23505', { detail }))).not.toHaveProperty('detail')
  expect(asThrown(answered('42703', { detail }))).toHaveProperty('detail', detail)
})

test('a connection whose prepared statements are older than the tables is told apart', () => {
  expect(isOutdated(answered('0A000', { routine: 'RevalidateCachedQuery' }))).toBe(true)
  expect(isOutdated(answered('0A000'))).toBe(false)
})

test('a server that is not there is not reached, by any of the addresses of its name', async () => {
  const pool = openPool(`postgres://asha%40home:p%3A@localhost:${await freePort()}/my%20keys`, 1)
  onTestFinished(() => pool.end())
  await expect(withClient(pool, async () => 'reached')).rejects.toMatchObject({
    code: UNREACHABLE,
    message: expect.stringMatching(/^PostgreSQL cannot be reached: /),
  })
  expect(addressOf(pool)).toMatchObject({
    host: 'localhost',
    database: 'my keys',
    user: 'asha@home',
  })
})
