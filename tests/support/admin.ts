import { openTestApp } from '#tests/support/app.ts'

type Opened = Parameters<typeof openTestApp>[0]
type Who = { cookie: string }

/** The application with a signed-in super admin, and helpers to read its pages. */
export async function openAdmin(options: Opened = {}) {
  const app = await openTestApp(options)
  const root = await app.signUp({ name: 'Nandini Rao', role: 'super_admin' })
  const browse = (method: string, path: string, body?: BodyInit, as: Who = root) =>
    app.browse(method, path, body, as)
  const open = (query = '', as: Who = root) => browse('GET', `/admin${query}`, undefined, as)
  const submit = (path: string, fields: Record<string, string> = {}, as: Who = root) =>
    browse('POST', `/admin${path}`, new URLSearchParams(fields), as)
  return { ...app, root, browse, open, submit }
}

export const ROLES_BELOW = ['client', 'premium', 'moderator', 'admin'] as const
