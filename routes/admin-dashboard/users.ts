import { Hono } from 'hono'
import { permit } from '#actions/accounts/permissions.ts'
import {
  managementHref,
  readManagementTab,
  readUserPlace,
  userPlaceFields,
} from '#domain/admin/management.ts'
import { permission } from '#routes/_http/accounts/forms.ts'
import type { AppEnv } from '#routes/_http/context.ts'
import { perform, readForm } from '#routes/_http/forms.ts'
import { requireAdmin } from '#routes/_http/guards.ts'
import { parseForm } from '#routes/_http/schema.ts'
import { renderPermissions } from '#routes/admin-dashboard/_permissions.tsx'
import { renderUsers } from '#routes/admin-dashboard/_users.tsx'

/** The permissions form; it calls the same action as the API. */
export const permissionForms = new Hono<AppEnv>().post('/:id/permissions', async (c) => {
  const admin = requireAdmin(c)
  const id = c.req.param('id')
  const { form } = await readForm(c)
  const sent = parseForm(permission, { ...form, user_id: id })
  const { permission_type: type, expires_at: expires } = sent
  const tab = readManagementTab(c.req.query('tab'))
  return perform(c, {
    act: () => permit(c.var.deps, admin, { accountId: id, type, expires }),
    done: () => {
      const place = userPlaceFields(readUserPlace(c.req.query()))
      return managementHref(tab, { ...place, done: 'permitted', at: `user-${id}` })
    },
    refused: ({ message, kind }) => {
      const refused = { id, type, expires: expires ?? '', message, kind }
      if (tab === 'permissions') return renderPermissions(c, admin, refused)
      return renderUsers(c, admin, { refused })
    },
  })
})
