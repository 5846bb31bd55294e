import { expect, test } from 'vitest'
import { openTestApp } from '#tests/support/app.ts'

test('anybody may read the plans, cheapest first, at the prices of this installation', async () => {
  const { ask } = await openTestApp({ env: { PRICE_PREMIUM: '499' } })
  const answer = await ask('GET', '/api/subscription/plans')
  expect(answer.status).toBe(200)
  const features = expect.arrayContaining([expect.any(String)])
  expect(await answer.json()).toEqual({
    plans: [
      { id: 'free', name: 'Free', price: 0, qr_limit: 1, child_qr_limit: 0, features },
      { id: 'premium', name: 'Premium', price: 499, qr_limit: 50, child_qr_limit: 50, features },
      {
        id: 'enterprise',
        name: 'Enterprise',
        price: 9999,
        qr_limit: -1,
        child_qr_limit: 1000,
        features,
      },
    ],
  })
})
