import { openTestApp } from '#tests/support/app.ts'

type Opened = Parameters<typeof openTestApp>[0]
type Who = { cookie: string }

/** The application with a signed-in super admin, and helpers to read its pages. */
export async function openAdmin(options: Opened = {}) {
  const app = await openTestApp(options)
  const root = await app.signUp({ name: 'Nandini Rao', role: 'super_admin' })
  async function browse(method: string, path: string, body?: BodyInit, as: Who = root) {
    const headers = { Cookie: as.cookie, 'Sec-Fetch-Site': 'same-origin' }
    const answer = await app.ask(method, path, { headers, ...(body && { body }) })
    const { status, headers: answered } = answer
    return { status, to: answered.get('location'), headers: answered, html: await answer.text() }
  }
  const open = (query = '', as: Who = root) => browse('GET', `/admin${query}`, undefined, as)
  const submit = (path: string, fields: Record<string, string> = {}, as: Who = root) =>
    browse('POST', `/admin${path}`, new URLSearchParams(fields), as)
  return { ...app, root, browse, open, submit }
}

export const ROLES_BELOW = ['client', 'premium', 'moderator', 'admin'] as const
