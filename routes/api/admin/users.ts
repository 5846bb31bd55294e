import { z } from '@hono/zod-openapi'
import { permit } from '#actions/accounts/permissions.ts'
import { eachAccount, getFamily, searchAccounts } from '#db/accounts/account-search.ts'
import { fromFlag } from '#db/cast.ts'
import { permission } from '#routes/_http/accounts/forms.ts'
import { requireAdmin } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { linkPages, pagedAnswer } from '#routes/api/_paging.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { adminCall } from '#routes/api/admin/_admin-call.ts'
import { isPage, sendArray } from '#routes/api/admin/_lists.ts'
import {
  adminUser,
  childUser,
  relative,
  toAdminUser,
  toRelative,
  userQuery,
} from '#routes/api/admin/_user-schema.ts'

const list = adminCall('listUsers', 'List or search the users', {
  get: '/',
  query: userQuery,
  200: pagedAnswer(
    'Every user, newest first: all of them, or a page',
    z.union([z.array(adminUser), z.object({ users: z.array(adminUser), total_count: z.int() })]),
  ),
})

const hierarchy = adminCall('getUserHierarchy', 'Get a user’s parent and children', {
  get: '/{id}/hierarchy',
  200: answer(
    'The user with parent and child users',
    z.object({
      user: relative,
      parent: relative.nullable(),
      child_users: z.array(childUser),
    }),
  ),
})

const setPermission = adminCall('setUserPermission', 'Set the permission of a user', {
  post: '/permissions',
  body: jsonBody(permission, {
    user_id: 'b1946ac92492d2347c6235b4d2611184',
    permission_type: 'premium',
    expires_at: '2030-12-31T18:29:00.000Z',
  }),
  200: answer('The whole user', adminUser),
  problems: [404],
})

export const adminUsers = apiRouter()
  .openapi(list, async (c) => {
    const { db, clock } = c.var.deps
    const query = c.req.valid('query')
    const now = clock()
    if (!isPage(query)) return sendArray(c, eachUser(eachAccount(db, query), now))
    const { users, total } = await searchAccounts(db, query)
    linkPages(c, query, total)
    return c.json({ users: users.map((user) => toAdminUser(user, now)), total_count: total }, 200)
  })
  .openapi(hierarchy, async (c) => {
    const { user, parent, children } = await getFamily(c.var.deps.db, c.req.valid('param').id)
    const child_users = children.map(({ qr_count, is_active, ...child }) => ({
      ...toRelative(child),
      is_active: fromFlag(is_active),
      qr_count,
    }))
    const above = parent ? toRelative(parent) : null
    return c.json({ user: toRelative(user), parent: above, child_users }, 200)
  })
  .openapi(setPermission, async (c) => {
    const { user_id, permission_type: type, expires_at: expires } = c.req.valid('json')
    const input = { accountId: user_id, type, expires }
    return c.json(
      toAdminUser(await permit(c.var.deps, requireAdmin(c), input), c.var.deps.clock()),
      200,
    )
  })

async function* eachUser(pages: ReturnType<typeof eachAccount>, now: Date) {
  for await (const accounts of pages) yield accounts.map((each) => toAdminUser(each, now))
}
