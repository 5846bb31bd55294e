import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { testOnSqlite } from '#tests/support/database.ts'

const CALL = '/api/admin/users'

async function openUsers() {
  const app = await openTestApp()
  const admin = await app.signUp({ name: 'Meera Nair', email: 'meera@example.in', role: 'admin' })
  async function read(query = '') {
    const answer = await app.ask('GET', `${CALL}${query}`, { as: admin })
    const body = await answer.json()
    const users = (body.users ?? body) as { id: string; name: string }[]
    return { status: answer.status, body, names: users.map?.(({ name }) => name) }
  }
  async function signUpMany(names: string[]) {
    const accounts = []
    for (const name of names) {
      app.advance(1)
      accounts.push(await app.signUp({ name }))
    }
    return accounts
  }
  return { ...app, admin, read, signUpMany }
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `User ${n}`)

describe('the calls about users', () => {
  test('the figures count users, active users, admins, codes and the scans of today', async () => {
    const { ask, admin, signUp, db } = await openUsers()
    await signUp({ role: 'super_admin' })
    const { id } = await signUp()
    await db.updateTable('accounts').set({ is_active: 0 }).where('id', '=', id).execute()
    await insertCode(db, id)
    await db.insertInto('scan_quarters').values({ quarter: '2026-11-20T09:15', scans: 5 }).execute()
    const answer = await ask('GET', '/api/admin/dashboard-stats', { as: admin })
    expect(await answer.json()).toEqual({
      users: { total: 3, active: 2, admins: 2 },
      qr_codes: { total: 1 },
      activity: { today_scans: 5 },
    })
  })
})

describe('the list', () => {
  test('without a page is an array of all users, newest first, with the fields for admins', async () => {
    const { read, signUp, admin, db, advance } = await openUsers()
    advance(1)
    const asha = await signUp({ subscription_plan: 'premium', mobile: '+919876543210' })
    const { qr_id } = await insertCode(db, asha.id)
    await insertCode(db, asha.id, { qr_type: 'child' })
    await db
      .insertInto('documents')
      .values({
        id: 'd1',
        qr_id,
        account_id: asha.id,
        document_type: 'puc',
        document_side: null,
        is_public: 0,
        file_name: 'puc.pdf',
        stored_name: 's1',
        thumbnail_name: null,
        file_size: 1,
        content_type: 'application/pdf',
        uploaded_at: asha.created_at,
      })
      .execute()
    const { status, body } = await read()
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        id: asha.id,
        name: 'Asha Patil',
        email: asha.email,
        mobile: '+919876543210',
        login_id: null,
        email_verified: true,
        role: 'client',
        is_active: true,
        subscription_ends_at: null,
        subscription_plan: 'premium',
        qr_count: 1,
        qr_limit: 50,
        doc_count: 1,
        parent_id: null,
        permission_expires_at: null,
        created_at: asha.created_at,
      },
      expect.objectContaining({ id: admin.id, role: 'admin' }),
    ])
  })

  test('marks unverified addresses, as both pages do', async () => {
    const { signUp, read, ask } = await openUsers()
    await signUp({ name: 'Typed', email: 'typed@example.in', email_verified_at: null })
    const root = await signUp({ role: 'super_admin', name: 'Proven', email: 'root@example.in' })
    const { body } = await read()
    expect(body).toContainEqual(
      expect.objectContaining({ email: 'typed@example.in', email_verified: false }),
    )
    for (const page of ['/admin?tab=users', '/admin-dashboard?tab=users']) {
      const html = await (await ask('GET', page, { headers: { cookie: root.cookie } })).text()
      expect(html.match(/typed@example\.in<\/span><span[^>]*>Not verified/g)).toHaveLength(1)
      expect(html.match(/Not verified/g)).toHaveLength(1)
    }
  })

  test('a thousand users of one moment come once each, whole and by the page', async () => {
    const { db, admin, read } = await openUsers()
    const { bearerToken: _, cookie: __, ...row } = admin
    const many = Array.from({ length: 1100 }, (_, n) => {
      return { ...row, id: `copy${n}`, name: `Copy ${n}`, email: `copy${n}@example.in` }
    })
    for (let n = 0; n < many.length; n += 100) {
      await db
        .insertInto('accounts')
        .values(many.slice(n, n + 100))
        .execute()
    }
    const { names } = await read()
    expect(names).toHaveLength(1101)
    expect(new Set(names).size).toBe(1101)
    const pages = await Promise.all([1, 2].map((page) => read(`?page=${page}&limit=100`)))
    expect(pages.flatMap((page) => page.names)).toEqual(names.slice(0, 200))
  })

  test('with a page it is 20 of them, and how many there are', async () => {
    const { read, signUpMany } = await openUsers()
    await signUpMany(numbered(24))
    const { body, names } = await read('?page=1')
    expect(body.total_count).toBe(25)
    expect(names).toEqual(numbered(24).toReversed().slice(0, 20))
    expect((await read('?page=2&limit=20')).names).toEqual([
      ...['User 3', 'User 2', 'User 1', 'User 0'],
      'Meera Nair',
    ])
    expect((await read('?page=3')).body).toEqual({ users: [], total_count: 25 })
  })

  test.each([
    ['a part of the name, in any letter case', 'KULK', ['Ramesh Kulkarni']],
    ['a name in another script', 'शर्मा', ['सीमा शर्मा']],
    ['a part of the e-mail', 'meera@', ['Meera Nair']],
    ['one letter', 'स', ['सीमा शर्मा']],
    ['what SQL would take for any text', '%', []],
    ['what SQL would take for any letter', 'Zoya_Q', []],
    ['a text with marks that an index would read as an expression', '"Zo OR *', []],
    ['nobody', 'nobody at all', []],
  ])('the search finds %s', async (_what, search, expected) => {
    const { read, signUpMany } = await openUsers()
    await signUpMany(['Ramesh Kulkarni', 'सीमा शर्मा', 'Zoya Q'])
    const { names, body } = await read(`?page=1&search=${encodeURIComponent(search)}`)
    expect(names).toEqual(expected)
    expect(body.total_count).toBe(expected.length)
  })

  testOnSqlite('the search uses the current name', async () => {
    const { read, signUpMany, db } = await openUsers()
    const [asha] = await signUpMany(['Asha Patil'])
    const renamed = db.updateTable('accounts').set({ name: 'Usha Patil' })
    await renamed.where('id', '=', asha?.id ?? '').execute()
    expect((await read('?page=1&search=asha')).names).toEqual([])
    expect((await read('?page=1&search=usha+pat')).names).toEqual(['Usha Patil'])
    const { rows } =
      await sql`insert into account_search (account_search) values ('integrity-check')`
        .execute(db)
        .then(() => sql<{ n: number }>`select count(*) as n from account_texts`.execute(db))
    expect(rows).toEqual([{ n: 2 }])
  })

  test('a text that very many users share is found page by page too', async () => {
    const { read, db, admin } = await openUsers()
    const { bearerToken: _, cookie: __, ...row } = admin
    for (let n = 0; n < 2100; n += 100) {
      const rows = Array.from({ length: 100 }, (_, k) => {
        return {
          ...row,
          id: `copy${n + k}`,
          name: `Sunita ${n + k}`,
          email: `s${n + k}@example.in`,
        }
      })
      await db.insertInto('accounts').values(rows).execute()
    }
    const { body, names } = await read('?page=1&search=sunita')
    expect(body.total_count).toBe(2100)
    expect(names).toHaveLength(20)
    const few = await read('?page=1&search=sunita%20209')
    expect(few.body.total_count).toBe(11)
  })

  test('the role filter narrows it to one role; admins and super admins are two', async () => {
    const { read, signUp } = await openUsers()
    await signUp({ name: 'Client' })
    await signUp({ name: 'Mod', role: 'moderator' })
    await signUp({ name: 'Root', role: 'super_admin' })
    const named = async (filter: string) =>
      (await read(`?page=1&role_filter=${filter}`)).names.toSorted()
    expect(await named('client')).toEqual(['Client'])
    expect(await named('moderator')).toEqual(['Mod'])
    expect(await named('admin')).toEqual(['Meera Nair'])
    expect(await named('super_admin')).toEqual(['Root'])
    expect(await named('all')).toHaveLength(4)
    expect(await named('')).toHaveLength(4)
    expect((await read('?page=1&role_filter=client&search=mod')).body.total_count).toBe(0)
  })

  test.each([
    ['?page=0', 'page must be a whole number from 1 to 1000000'],
    ['?page=1&limit=x', 'limit must be a whole number from 1 to 100'],
    [
      '?page=1&role_filter=owner',
      'role_filter must be all, client, premium, moderator, admin, super_admin',
    ],
    [`?page=1&search=${'x'.repeat(201)}`, 'search must be at most 200 characters'],
  ])('%s is refused', async (query, detail) => {
    const { read } = await openUsers()
    expect(await read(query)).toMatchObject({ status: 400, body: { detail } })
  })
})

describe('the hierarchy', () => {
  test('has a user, the parent, and the child users with their codes', async () => {
    const { ask, admin, signUp, db, advance } = await openUsers()
    const parent = await signUp({ name: 'Parent' })
    const child = await signUp({ name: 'Child', parent_id: parent.id })
    advance(1)
    const other = await signUp({ name: 'Other', parent_id: parent.id })
    await insertCode(db, parent.id, { qr_type: 'child', child_account_id: child.id })
    await insertCode(db, child.id)
    const read = async (id: string) =>
      (await ask('GET', `${CALL}/${id}/hierarchy`, { as: admin })).json()
    expect(await read(parent.id)).toEqual({
      user: { id: parent.id, name: 'Parent', email: parent.email, mobile: null },
      parent: null,
      child_users: [
        {
          id: child.id,
          name: 'Child',
          email: child.email,
          mobile: null,
          is_active: true,
          qr_count: 2,
        },
        expect.objectContaining({ id: other.id, qr_count: 0 }),
      ],
    })
    expect(await read(child.id)).toMatchObject({ parent: { id: parent.id }, child_users: [] })
  })

  test('of an unknown user is 404', async () => {
    const { ask, admin } = await openUsers()
    const answer = await ask('GET', `${CALL}/nobody/hierarchy`, { as: admin })
    expect([answer.status, await answer.json()]).toEqual([404, { detail: 'User not found' }])
  })
})
