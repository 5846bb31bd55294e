// @module-tag slow
import { expect, test } from 'vitest'
import { openConversations } from '#tests/support/conversations.ts'
import { fuzzBody, fuzzMessage, randomFrom } from '#tests/support/fuzzed-messages.ts'
import { countEach } from '#tests/support/races.ts'
import { filesIn } from '#tests/support/uploads.ts'

/** `DRIVEQR_FUZZ_POSTS=50000` sends more of them. */
const POSTS = Number(process.env.DRIVEQR_FUZZ_POSTS ?? 1_000)
const SEED = Number(process.env.DRIVEQR_FUZZ_SEED ?? 20_261_120)
const UNDERSTOOD = ['201', '400', '413', '415']

test(`of ${POSTS} posts of nonsense each is answered, none by a fault of the server`, async () => {
  const opened = await openConversations({
    env: { RATE_LIMITS: 'off', SMTP_URL: 'smtp://127.0.0.1:25' },
  })
  const { ask, qr_id, pageToken, call, seen, tokenOf, sender, dataDir } = opened
  await sender.stop()
  const random = randomFrom(SEED)
  const token = pageToken()
  const statuses: string[] = []
  let last = ''
  for (let n = 0; n < POSTS; n++) {
    const { body, type } = fuzzBody(random, fuzzMessage(random, token))
    const headers = { 'Content-Type': type }
    const answer = await ask('POST', `/api/scan/${qr_id}/messages`, { body, headers })
    const { detail, conversation_url } = await answer.json()
    if (conversation_url) last = conversation_url
    else expect(detail).toMatch(/\w/)
    statuses.push(String(answer.status))
  }
  const counts = countEach(statuses)
  expect(Object.keys(counts).filter((status) => !UNDERSTOOD.includes(status))).toEqual([])
  expect(counts['201']).toBeGreaterThan(POSTS / 20)
  expect(counts['400']).toBeGreaterThan(POSTS / 5)
  const list = await call('GET', '?page=1&limit=100')
  expect([list.status, list.body.total_count]).toEqual([200, counts['201']])
  expect(await seen(tokenOf({ conversation_url: last }))).toBeDefined()
  expect(filesIn({ dataDir })).toEqual({ stored: [], incoming: [] })
}, 600_000)
