import { expect, test } from 'vitest'
import { getAccount } from '#db/accounts/accounts.ts'
import { openTestApp } from '#tests/support/app.ts'
import { registeredChild } from '#tests/support/families.ts'

const WAYS = ['create', 'bulk', 'child'] as const

async function openFamily() {
  const app = await openTestApp()
  const parent = await app.signUp({ subscription_plan: 'premium' })
  const { qr_id, child_account_id } = await registeredChild(app, parent.id)
  const { cookieToken } = await app.deps.sessions.start(
    await getAccount(app.db, child_account_id ?? ''),
  )
  const open = async (cookie: string) => {
    const answer = await app.ask('GET', '/dashboard', { headers: { cookie } })
    return answer.text()
  }
  const change = (fields: object) =>
    app.db.updateTable('accounts').set(fields).where('id', '=', child_account_id).execute()
  return {
    ...app,
    qr_id,
    change,
    openAsChild: () => open(`driveqr=${cookieToken}`),
    openAsParent: () => open(parent.cookie),
  }
}

/** The ways to make codes that the page offers. */
function waysIn(html: string): string[] {
  const lead = html.match(/<div class="lead-acts">.*?<section class="codes-grid"/s)?.[0] ?? ''
  return WAYS.filter((way) => lead.includes(`data-dialog="${way}"`))
}

test('a child user is offered what its plan has room for, and no more', async () => {
  const { openAsChild, openAsParent, change, qr_id } = await openFamily()
  const html = await openAsChild()
  expect(html).toContain(`id="qr-${qr_id}"`)
  expect(waysIn(html)).toEqual(['create'])
  expect(html).not.toContain('Child QRs')
  expect(html).not.toContain('data-dialog="delete"')
  await change({ qr_limit: 0 })
  expect(waysIn(await openAsChild())).toEqual([])
  await change({ subscription_plan: 'enterprise', qr_limit: -1, child_qr_quota: 5 })
  expect(waysIn(await openAsChild())).toEqual(['create', 'bulk', 'child'])
  expect(waysIn(await openAsParent())).toEqual(['create', 'bulk', 'child'])
})

test('a parent sees who registered a code, also when the code is called otherwise', async () => {
  const { openAsParent, db } = await openFamily()
  const before = await openAsParent()
  expect(before).toContain('>Gurleen Kaur</bdi></h2>')
  expect(before).not.toContain('Registered by')
  await db.updateTable('qr_codes').set({ owner_name: 'Gudiya' }).execute()
  const after = await openAsParent()
  expect(after).toContain('>Gudiya</bdi></h2>')
  expect(after).toMatch(/Registered by: (<!-- -->)?<bdi[^>]*>Gurleen Kaur</)
})
