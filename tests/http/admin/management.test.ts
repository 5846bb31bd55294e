import { describe, expect, test } from 'vitest'
import { openAdmin } from '#tests/support/admin.ts'
import { insertCode } from '#tests/support/codes.ts'

async function openManagement() {
  const app = await openAdmin()
  const asha = await app.signUp({ name: 'Asha Patil', email: 'asha@example.in' })
  const manage = (query = '', as = app.root) =>
    app.browse('GET', `/admin-dashboard${query}`, undefined, as)
  const permit = (fields: Record<string, string>, query = '?tab=users', id = asha.id) =>
    app.browse(
      'POST',
      `/admin-dashboard/users/${id}/permissions${query}`,
      new URLSearchParams(fields),
    )
  return { ...app, asha, manage, permit }
}

/** The visible text of an element. */
function words(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replace(/\s+/g, ' ')
    .trim()
}

function rows(html: string): string[] {
  return [...html.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].slice(1).map(([row]) => words(row))
}

function dialog(html: string): string {
  return /<dialog.*<\/dialog>/s.exec(html)?.[0] ?? ''
}

describe('User Management', () => {
  test('lists users with role, counts and actions, the blocked ones faded', async () => {
    const { manage, asha, db, signUp } = await openManagement()
    await insertCode(db, asha.id)
    await db.updateTable('accounts').set({ is_active: 0 }).where('id', '=', asha.id).execute()
    await signUp({ name: 'Gurleen', email: null, mobile: '+919814012345' })
    const { html } = await manage()
    expect(html).toContain('3 total')
    expect(rows(html)).toEqual(
      expect.arrayContaining([
        'A Asha Patil asha@example.in Client Inactive 1 0 Manage of Asha Patil Hierarchy of Asha Patil',
        expect.stringContaining('Gurleen +91 98140 12345 Client 0 0'),
        expect.stringContaining('Nandini Rao'),
      ]),
    )
    expect(html.match(/<tr class="is-off">/g)).toHaveLength(1)
  })

  test('has pages of 20: Next leads nowhere once fewer came back', async () => {
    const { manage, signUp } = await openManagement()
    for (let n = 0; n < 18; n++) await signUp({ name: `User ${n}` })
    const first = await manage('?tab=users&role=all')
    expect(rows(first.html)).toHaveLength(20)
    expect(first.html).toContain('href="/admin-dashboard?tab=users&amp;page=2" rel="next"')
    expect(first.html).toMatch(/disabled=""[^>]*>Previous/)
    const second = await manage('?tab=users&page=2')
    expect(rows(second.html)).toHaveLength(0)
    expect(second.html).toContain('No users found')
    expect(second.html).toMatch(/disabled=""[^>]*>Next/)
    expect(second.html).toContain('href="/admin-dashboard?tab=users" rel="prev"')
  })

  test('is searched by name or email and narrowed to a role', async () => {
    const { manage, signUp } = await openManagement()
    await signUp({ name: 'Mod', role: 'moderator' })
    const found = await manage('?tab=users&q=ASHA%40&role=client')
    expect(rows(found.html)).toEqual([expect.stringContaining('asha@example.in')])
    expect(found.html).toContain('1 total')
    expect(rows((await manage('?tab=users&role=moderator')).html)).toHaveLength(1)
    await signUp({ name: 'Root', role: 'super_admin' })
    await signUp({ name: 'Adi', role: 'admin' })
    const admins = await manage('?tab=users&role=admin')
    expect(rows(admins.html).join()).not.toContain('Root')
    expect(rows(admins.html).join()).toContain('Adi')
    expect(admins.html).toContain('<option value="super_admin">Super Admin</option>')
    const supers = rows((await manage('?tab=users&role=super_admin')).html).join()
    expect([supers.includes('Root'), supers.includes('Adi')]).toEqual([true, false])
    expect((await manage('?tab=users&q=nobody+at+all')).html).toContain('No users found')
  })

  test('shows when a permission expires', async () => {
    const { manage, permit } = await openManagement()
    await permit({ permission_type: 'moderator', expires_at: '2026-12-31T23:59' })
    const row = rows((await manage()).html).find((each) => each.includes('Asha'))
    expect(row).toContain('Moderator until 31 Dec 2026, 11:59 pm')
  })
})

describe('Update User Permissions', () => {
  test('opens by link over the list, with the five types and the present permission', async () => {
    const { manage, asha } = await openManagement()
    const html = dialog((await manage(`?tab=users&permissions=${asha.id}`)).html)
    expect(words(html)).toContain('Update User Permissions')
    expect(words(html)).toContain('Now: Client')
    const options = [...html.matchAll(/<option value="([^"]*)"([^>]*)>([^<]*)/g)]
    expect(options.map(([, value, , label]) => [value, label])).toEqual([
      ['client', 'client (Default)'],
      ['premium', 'premium'],
      ['moderator', 'moderator'],
      ['admin', 'admin'],
      ['blocked', 'blocked'],
    ])
    expect(options.filter(([, , rest]) => rest?.includes('disabled'))).toEqual([])
  })

  test('lets an admin who is no super admin choose anything but admin', async () => {
    const { manage, asha, signUp } = await openManagement()
    const admin = await signUp({ role: 'admin' })
    const html = dialog((await manage(`?tab=users&permissions=${asha.id}`, admin)).html)
    const barred = [...html.matchAll(/<option value="([^"]*)" disabled=""/g)].map(([, id]) => id)
    expect(barred).toEqual(['admin'])
  })

  test('says why nothing can be changed, and offers no button that would be refused', async () => {
    const { manage, root, signUp } = await openManagement()
    const admin = await signUp({ role: 'admin' })
    const other = await signUp({ role: 'admin' })
    for (const [as, id, reason] of [
      [root, root.id, 'You cannot change your own permissions'],
      [admin, root.id, 'The permissions of a super admin cannot be changed'],
      [admin, other.id, 'Only a super admin can make or change an admin'],
    ] as const) {
      const html = dialog((await manage(`?tab=users&permissions=${id}`, as)).html)
      expect(words(html)).toContain(reason)
      expect(html).not.toContain('Update Permissions<')
    }
  })

  test('works without script, and leads back to the same place', async () => {
    const { permit, browse, asha, db } = await openManagement()
    const done = await permit({ permission_type: 'moderator' }, '?tab=users&q=asha&page=2')
    expect(done.status).toBe(303)
    const at = `user-${asha.id}`
    expect(done.to).toBe(`/admin-dashboard?tab=users&q=asha&page=2&done=permitted&at=${at}`)
    const { html } = await browse('GET', done.to ?? '')
    expect(html).toContain('User permissions updated successfully')
    const row = await db.selectFrom('accounts').select('role').where('id', '=', asha.id)
    expect(await row.executeTakeFirst()).toEqual({ role: 'moderator' })
    expect((await permit({ permission_type: 'client' }, '?tab=permissions')).to).toBe(
      `/admin-dashboard?tab=permissions&done=permitted&at=${at}`,
    )
  })

  test('shows a refused form again with the typed values and the reason', async () => {
    const { permit } = await openManagement()
    const typed = { permission_type: 'premium', expires_at: '2020-01-01T10:00' }
    const { status, html } = await permit(typed)
    expect(status).toBe(400)
    expect(words(dialog(html))).toContain('Expiry must be in the future')
    expect(dialog(html)).toContain('value="2020-01-01T10:00"')
    expect(dialog(html)).toMatch(/value="premium" selected/)
  })

  test('shows why a type is refused beside the type', async () => {
    const { permit, signUp, asha } = await openManagement()
    const child = await signUp({ parent_id: asha.id })
    const { status, html } = await permit({ permission_type: 'moderator' }, '?tab=users', child.id)
    expect(status).toBe(403)
    expect(words(dialog(html))).toContain('A child user cannot have an administrative role')
    expect(dialog(html)).toMatch(/<select[^>]* aria-invalid="true"/)
    expect(dialog(html)).not.toMatch(/<input[^>]* aria-invalid/)
  })

  test('is not found for an unknown user, and refused for callers who are not admins', async () => {
    const { manage, permit, browse, asha } = await openManagement()
    expect((await manage('?tab=users&permissions=nobody')).status).toBe(404)
    expect((await permit({ permission_type: 'client' }, '', 'nobody')).status).toBe(404)
    const path = `/admin-dashboard/users/${asha.id}/permissions`
    const body = new URLSearchParams({ permission_type: 'premium' })
    const refused = await browse('POST', path, body, asha)
    expect([refused.status, refused.to]).toEqual([303, '/dashboard'])
  })
})

test('Permissions counts admins in all and the others on the page, and edits the first five', async () => {
  const { manage, signUp, db, asha, advance } = await openManagement()
  await db.updateTable('accounts').set({ is_active: 0 }).where('id', '=', asha.id).execute()
  const roles = ['admin', 'moderator', 'premium', 'premium', ...Array(18).fill('client')] as const
  for (const role of roles) {
    advance(1)
    await signUp({ role })
  }
  const counts = async (query: string) => {
    const { html } = await manage(`?tab=permissions${query}`)
    return words(/aria-label="Counts".*?<\/section>/s.exec(html)?.[0]?.replace(/^[^>]*>/, '') ?? '')
  }
  expect(await counts('')).toBe(
    'Admins 2 Moderators 0 on this page Premium Users 2 on this page Blocked 0 on this page',
  )
  expect(await counts('&page=2')).toBe(
    'Admins 2 Moderators 1 on this page Premium Users 0 on this page Blocked 1 on this page',
  )
  const first = rows((await manage('?tab=permissions')).html)
  expect(first).toHaveLength(5)
  expect(first[0]).toContain('Edit Permissions of')
})

describe('User Hierarchy', () => {
  test('asks for a user first', async () => {
    const { manage } = await openManagement()
    expect(words((await manage('?tab=hierarchy')).html)).toContain('Select a User')
  })

  test('shows a user and the child users with their codes, and leads up again', async () => {
    const { manage, asha, signUp, db } = await openManagement()
    const child = await signUp({ name: 'Gurleen Kaur', parent_id: asha.id })
    await insertCode(db, asha.id, { qr_type: 'child', child_account_id: child.id })
    const { html } = await manage(`?tab=hierarchy&user=${asha.id}`)
    expect(words(html)).toMatch(/Asha Patil asha@example.in Client G Gurleen Kaur .* 1 QR/)
    const below = await manage(`?tab=hierarchy&user=${child.id}`)
    expect(words(below.html)).toContain('Child user of Asha Patil')
    expect(words(below.html)).toContain('No Child Users')
  })

  test('of nobody is not found', async () => {
    const { manage } = await openManagement()
    expect((await manage('?tab=hierarchy&user=nobody')).status).toBe(404)
  })
})

describe('/grant-admin', () => {
  test('shows who asks, and makes them a super admin without script too', async () => {
    const { browse, asha } = await openManagement()
    const before = await browse('GET', '/grant-admin', undefined, asha)
    expect(words(before.html)).toContain('Name Asha Patil Email asha@example.in Role client')
    const done = await browse('POST', '/grant-admin', new URLSearchParams(), asha)
    expect([done.status, done.to]).toEqual([303, '/admin'])
    const after = await browse('GET', '/grant-admin', undefined, asha)
    expect(words(after.html)).toContain('Already an Admin')
    expect((await browse('GET', '/admin', undefined, asha)).status).toBe(200)
  })

  test('offers nothing and takes nothing in production', async () => {
    const { browse, signUp } = await openAdmin({ env: { NODE_ENV: 'production' } })
    const asha = await signUp()
    const { html } = await browse('GET', '/grant-admin', undefined, asha)
    expect(words(html)).toContain('Granting super admin is disabled')
    expect(html).not.toContain('Grant Super Admin Access')
    const refused = await browse('POST', '/grant-admin', new URLSearchParams(), asha)
    expect(refused.status).toBe(403)
    expect((await browse('GET', '/admin', undefined, asha)).status).toBe(303)
  })
})
