import { expect, test } from 'vitest'
import { openPasskeys } from '#tests/support/passkeys.ts'

const WRONG: unknown[] = [null, 7, true, [], {}, '', '\u0000', '\ud800', 'A', '!', 'x'.repeat(9000)]
const FLIPS = 60

type Answer = { response: Record<string, unknown> } & Record<string, unknown>

/** A generator of its own, so that a failure can be repeated. */
function openRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** The checked parts of an answer, beside its three or two parts. */
const OUTER = ['id', 'rawId', 'type']

/** The answer with every field that counts wrong in each way, and with bytes of its parts changed or cut off. */
function spoil(answer: Answer, parts: string[], random: (below: number) => number): object[] {
  const { response } = answer
  const withPart = (part: object) => ({ ...answer, response: { ...response, ...part } })
  const outer = OUTER.flatMap((name) => WRONG.map((value) => ({ ...answer, [name]: value })))
  const inner = parts.flatMap((name) => WRONG.map((value) => withPart({ [name]: value })))
  const bytes = parts.flatMap((name) =>
    Array.from({ length: FLIPS }, () => {
      const changed = Buffer.from(String(response[name]), 'base64url')
      const at = random(changed.length)
      changed[at] = (changed[at] ?? 0) ^ (1 + random(255))
      const sent = random(4) === 0 ? changed.subarray(0, at) : changed
      return withPart({ [name]: sent.toString('base64url') })
    }),
  )
  const whole = [null, [], {}].map((none) => ({ ...answer, response: none }))
  return [...outer, ...inner, ...bytes, ...whole]
}

const SIGNED = ['clientDataJSON', 'authenticatorData', 'signature']

test('no spoilt answer signs in or confirms, and the right one does after them', async () => {
  const installation = await openPasskeys({ env: { RATE_LIMITS: 'off' } })
  const { add, key, challenge, confirmChallenge, verify, ofAccount } = installation
  await add()
  const right = key.get({ challenge: await challenge() })
  for (const json of spoil(right, SIGNED, openRandom(1))) {
    const { status, body } = await verify(json)
    expect([400, 401], JSON.stringify([body, json])).toContain(status)
  }
  expect((await verify(right)).status).toBe(200)
  const own = key.get({ challenge: await confirmChallenge() })
  for (const passkey of spoil(own, SIGNED, openRandom(2))) {
    const { status, body } = await ofAccount('POST', '/confirm', { passkey })
    expect([400, 401], JSON.stringify([body, passkey])).toContain(status)
  }
  expect((await ofAccount('POST', '/confirm', { passkey: own })).status).toBe(200)
})

test('a spoilt new passkey is refused or kept, and breaks nothing', async () => {
  const { call, key } = await openPasskeys({ env: { RATE_LIMITS: 'off' } })
  const right = key.create((await call('POST', '/options')).body)
  const parts = ['clientDataJSON', 'attestationObject']
  for (const json of spoil(right, parts, openRandom(3))) {
    const { status, body } = await call('POST', '', { name: 'Phone', ...json })
    // Unsigned parts may differ, such as the maker of the authenticator.
    expect([201, 400, 401], JSON.stringify([body, json])).toContain(status)
  }
})
