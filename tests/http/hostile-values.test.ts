// @module-tag slow
import { expect, test } from 'vitest'
import { openUncounted } from '#tests/support/authorisation.ts'
import { callOn } from '#tests/support/calls.ts'
import { identify, send } from '#tests/support/principals.ts'
import { thingsOf } from '#tests/support/things.ts'

/** Has functions in its place that are none, so that making a text or a number of it throws. */
const HOSTILE = { toString: 1, valueOf: 1 }

test('no field of a call makes a fault of an object whose toString is a number', async () => {
  const app = await openUncounted()
  const owner = await app.signUp({ role: 'super_admin', subscription_plan: 'enterprise' })
  const things = thingsOf(app, owner)
  const faults: string[] = []
  let tried = 0
  for (const [call, example] of things.examples()) {
    const headers = await identify(app, 'enterprise', owner, '/api/')
    for (const field of Object.keys(example)) {
      const sent = await callOn(things, call)
      const json = { ...(sent.json ?? example), [field]: HOSTILE }
      const { status } = await send(app, { ...sent, json }, headers)
      tried += 1
      if (status >= 500 && status !== 503) faults.push(`${call} ${field}`)
    }
  }
  expect(faults).toEqual([])
  expect(tried).toBeGreaterThan(100)
})
