import { expect, test } from 'vitest'
import { openTestApp } from '#tests/support/app.ts'
import { assertDescribed } from '#tests/support/described.ts'

const PLANS = { method: 'GET', path: '/api/subscription/plans?page=1' }
const plan = { id: 'free', name: 'Free', price: 0, qr_limit: 1, child_qr_limit: 0, features: [] }

async function check(call: { method: string; path: string }, status: number, json: object) {
  const { app } = await openTestApp()
  const read = async () => (await app.request('/api/openapi.json')).json()
  await assertDescribed(call, Response.json(json, { status }), read)
}

test('an answer as it is described is taken, and is still there to be read', async () => {
  await check(PLANS, 200, { plans: [plan] })
  await check(PLANS, 429, { detail: 'Too many', retry_after: 60 })
  await check({ method: 'PATCH', path: '/api/nothing' }, 404, { detail: 'Not found' })
  const { ask } = await openTestApp()
  expect(await (await ask('GET', '/api/subscription/plans')).json()).toHaveProperty('plans')
})

test.each([
  ['a status that no answer has', PLANS, 418, { detail: 'I am a teapot' }, /418 is not described/],
  ['a field that is missing', PLANS, 200, { plans: [{ ...plan, price: undefined }] }, /price/],
  ['a value of another type', PLANS, 200, { plans: [{ ...plan, id: 'gold' }] }, /id must be equal/],
  ['a field that nobody knows', PLANS, 200, { plans: [{ ...plan, secret: 1 }] }, /unevaluated/],
  ['a wait that is not said', PLANS, 429, { detail: 'Too many' }, /retry_after/],
  ['a call of no description', { method: 'GET', path: '/api/x' }, 200, {}, /of no call/],
])('%s fails the test that got it', async (_, call, status, json, message) => {
  await expect(check(call, status, json)).rejects.toThrow(message)
})

test('a body of a type that is not described fails the test that got it', async () => {
  const { app } = await openTestApp()
  const read = async () => (await app.request('/api/openapi.json')).json()
  const answer = new Response('Free', { headers: { 'Content-Type': 'text/plain' } })
  await expect(assertDescribed(PLANS, answer, read)).rejects.toThrow('without text/plain')
})
