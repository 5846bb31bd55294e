import { describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

type SignedIn = Awaited<ReturnType<TestApp['signUp']>>

async function openAsAdmin(account: Parameters<TestApp['signUp']>[0] = { role: 'admin' }) {
  const app = await openTestApp()
  const admin = await app.signUp({ name: 'Meera Admin', email: 'meera@example.in', ...account })
  async function open(query = '', as: SignedIn = admin) {
    const path = `/admin-dashboard${query}`
    const answer = await app.ask('GET', path, { headers: { cookie: as.cookie } })
    return { answer, status: answer.status, html: await answer.text() }
  }
  return { ...app, admin, open }
}

describe('the roles that may see it', () => {
  test.each([
    ['admin', 'Admin'],
    ['super_admin', 'Super Admin'],
  ] as const)('a signed-in %s reads the badge %s', async (role, label) => {
    const { open } = await openAsAdmin({ role })
    const { status, html } = await open()
    expect(status).toBe(200)
    expect(html).toMatch(new RegExp(`<h1[^>]*>Admin Dashboard</h1><span class="[^"]*">${label}<`))
  })
})

describe('User Management', () => {
  test('counts users, active users, codes and the scans of today in the zone', async () => {
    const { open, signUp, db } = await openAsAdmin()
    const { id } = await signUp()
    await db.updateTable('accounts').set({ is_active: 0 }).where('id', '=', id).execute()
    await insertCode(db, id)
    await db
      .insertInto('scan_quarters')
      .values([
        { quarter: '2026-11-20T09:15', scans: 1284 },
        { quarter: '2026-11-19T18:15', scans: 7 },
      ])
      .execute()
    const { html } = await open()
    const stats = [
      ...html.matchAll(/<div class="card stat"><span[^>]*>([^<]*)<\/span><b>([^<]*)</g),
    ]
    expect(stats.map(([, label, value]) => [label, value])).toEqual([
      ['Total Users', '2'],
      ['Active Users', '1'],
      ['Total QR Codes', '1'],
      ['Today&#x27;s Scans', '1,284'],
    ])
  })
})
