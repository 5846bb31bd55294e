import { expect, test } from 'vitest'
import { PLAN_IDS, PLANS, type PlanId } from '#domain/plans/plan.ts'
import { openMoney } from '#tests/support/money.ts'

const listed = PLAN_IDS.flatMap((plan) =>
  PLANS[plan].links.map(({ text, href }) => [plan, text, href] as [PlanId, string, string]),
)

test.each(listed)('%s promises %s, which is at %s', async (plan, _text, href) => {
  const app = await openMoney()
  const owner = await app.signUp({ subscription_plan: plan })
  const answer = await app.ask('GET', href, { headers: { Cookie: owner.cookie } })
  expect(answer.status).toBe(200)
  const html = await answer.text()
  expect(html).toContain('<h1')
  expect(html).not.toContain('Upgrade to Premium')
  expect(html).not.toContain('available on the Enterprise plan')
})

test('every list of the plans links each promise', async () => {
  const app = await openMoney()
  const free = await app.signUp()
  const read = async (path: string) => {
    const answer = await app.ask('GET', path, { headers: { Cookie: free.cookie } })
    return answer.text()
  }
  const landing = await read('/')
  const dialog = await read('/dashboard?upgrade=1')
  for (const plan of PLAN_IDS) {
    for (const { text, href } of PLANS[plan].links) {
      const link = `<a href="${href.replaceAll('&', '&amp;')}">${text.replaceAll('&', '&amp;')}</a>`
      expect(landing).toContain(link)
      expect(dialog).toContain(link)
    }
  }
  expect(await read('/settings/plan')).toContain('What Free gives you')
  expect(await read('/terms')).toContain('A paid plan lasts for the months that you pay for.')
})
