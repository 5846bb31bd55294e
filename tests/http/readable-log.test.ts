import { pino } from 'pino'
import { expect, test } from 'vitest'
import { toReadable } from '#server/readable-log.ts'

const TIME = String.raw`\d\d:\d\d:\d\d`

function openLog() {
  let output = ''
  const log = pino({}, toReadable({ write: (line) => (output += line) }))
  return { log, read: () => output }
}

test('a person at a terminal reads time, level, message and facts on one line', () => {
  const { log, read } = openLog()
  log.info({ publicUrl: 'http://localhost:3000', production: false }, 'listening')
  log.info({ method: 'POST', route: '/login', status: 303, ms: 12 })
  log.warn({ limit: 'scan' }, 'rate limit reached')
  expect(read().replaceAll(new RegExp(`^${TIME}`, 'gm'), '12:00:00')).toBe(
    '12:00:00 info listening publicUrl=http://localhost:3000 production=false\n' +
      '12:00:00 info request method=POST route=/login status=303 ms=12\n' +
      '12:00:00 WARN rate limit reached limit=scan\n',
  )
})

test('an error comes with its stack, and nothing that is logged reaches the terminal as a command', () => {
  const { log, read } = openLog()
  log.error({ err: new Error('no\u001b[2J such table'), name: 'a\u001b]0;b\u0007' }, 'failed')
  expect(read()).toMatch(
    new RegExp(`^${TIME} ERROR failed name="a\\\\u001b]0;b\\\\u0007"\\nError: no`),
  )
  expect(read()).toContain('readable-log.test.ts')
  expect(read().replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
})
