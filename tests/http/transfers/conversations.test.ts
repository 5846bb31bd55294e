import { expect, test } from 'vitest'
import { makePageToken } from '#actions/conversations/page-token.ts'
import { HOST, openBrand, PUBLIC_URL } from '#tests/support/brands.ts'

const BUYERS_HOST = 'tags.other.example'
const FINDER = 'ravi@example.in'

/** A finder wrote to the owner of a code, who has handed it over since. Both owners have a brand and an address. */
async function openHandedOver() {
  const env = { PUBLIC_URL, SMTP_URL: 'smtp://127.0.0.1:25' }
  const app = await openBrand({ env })
  const { ask, db, deps, owner, qr_id, save, call, giveAddress } = app
  const buyer = await app.signUp({ email: 'buyer@example.in', subscription_plan: 'enterprise' })
  await save()
  const brand = { brand_name: 'Other Cabs', colour: '#7a1f5c', footer: null }
  await call('PUT', '', { as: buyer, json: { ...brand, hide_product_name: false } })
  await giveAddress()
  await giveAddress(BUYERS_HOST, buyer.id)
  const at = new Date(deps.clock().getTime() - 5_000)
  const page_token = makePageToken(deps.secretKey, qr_id, at)
  const json = { page_token, reason: 'found', text: 'Hi', reply_to: FINDER }
  const headers = { Host: HOST }
  const begun = await ask('POST', `/api/scan/${qr_id}/messages`, { json, headers })
  const { pathname } = new URL((await begun.json()).conversation_url)
  const { id } = await db.selectFrom('conversations').select('id').executeTakeFirstOrThrow()
  await ask('POST', `/api/qr/${qr_id}/transfer`, { as: owner, json: { email: 'buyer@example.in' } })
  const link = app.mails.findLast(({ to }) => to === 'buyer@example.in')?.text ?? ''
  const token = /\/transfer\/([\w-]{43})\b/.exec(link)?.[1]
  const holder = { owner_name: 'Meenakshi Pillai', contact_phone: '98190 00482' }
  const accepted = await ask('POST', `/api/transfers/${token}/accept`, { as: buyer, json: holder })
  expect(accepted.status).toBe(200)
  return { ...app, pathname, id }
}

test('the page of a conversation stays what it was when its code is handed over', async () => {
  const { look, ask, pathname } = await openHandedOver()
  const page = await look(pathname, { Host: HOST })
  expect(page.status).toBe(200)
  for (const host of [HOST, 'driveqr.example']) {
    const { html } = await look(pathname, { Host: host })
    expect(html).toContain('NeelRath Cabs')
    expect(html).not.toContain('Other Cabs')
  }
  const answer = { headers: { Host: HOST }, body: new URLSearchParams({ text: 'Still here' }) }
  expect((await ask('POST', pathname, answer)).status).toBe(303)
})

test('the mail of an answer has nothing of the account that has the code by then', async () => {
  const { ask, owner, id, mails } = await openHandedOver()
  await ask('POST', `/api/conversations/${id}/messages`, { as: owner, json: { text: 'Coming' } })
  const { text = '', html = '' } = mails.find(({ to }) => to === FINDER) ?? {}
  expect(text).toContain(`${PUBLIC_URL}/c/`)
  expect(text).toContain('NeelRath Cabs')
  expect(text + html).not.toMatch(/Other Cabs|tags\.other\.example/)
})
