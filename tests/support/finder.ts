import { openTestApp, type TestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

/** Everything that a finder can type. */
export const TYPED = {
  reason: 'found',
  text: 'They were on the counter.\nI wait here.',
  place: 'Tea stall opposite the depot',
  latitude: '18.50740',
  longitude: '73.80770',
  accuracy: '12',
  name: 'Farhan',
  reply_to: 'farhan.q@example.in',
  show_contact: 'on',
}

export const CODE = {
  vehicle_registration: 'MH12QX4827',
  email: 'ramesh@example.in',
  emergency_contact_name: 'Sunita',
  emergency_contact_phone: '+919000012345',
} as const

/** Opens an application with a code, and the acts of its finders without script. */
export async function openFound(
  fields: Parameters<typeof insertCode>[2] = {},
  settings: Parameters<typeof openTestApp>[0] = {},
) {
  const app = await openTestApp(settings)
  const owner = await app.signUp()
  const code = await insertCode(app.db, owner.id, { ...CODE, ...fields })
  const path = `/scan/${code.qr_id}/message`
  let cookie = ''

  /** Returns the page's form with the typed fields. */
  async function fillIn(
    typed: Record<string, string> = TYPED,
    { photo, query = '' }: { photo?: Uint8Array; query?: string } = {},
  ): Promise<FormData> {
    const headers = cookie ? { Cookie: cookie } : undefined
    const { html, response } = await read(await app.ask('GET', path + query, { headers }))
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    app.advance(5)
    return formOf({ page_token: tokenIn(html), ...typed }, photo)
  }

  async function send(body: BodyInit, { query = '', headers = {}, ...asked }: Asked = {}) {
    const all = { ...(cookie && { Cookie: cookie }), ...headers }
    return read(await app.ask('POST', path + query, { body, headers: all, ...asked }))
  }

  /** The path of a conversation that was begun with this. */
  async function begin(
    typed: Record<string, string> = TYPED,
    photo?: Uint8Array,
    headers: Record<string, string> = {},
  ): Promise<{ page: string; id: string }> {
    const { response } = await send(await fillIn(typed, photo && { photo }), { headers })
    const page = response.headers.get('Location') ?? ''
    const { id } = await app.db
      .selectFrom('conversations')
      .select('id')
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow()
    return { page, id }
  }

  /** Goes on in a browser that has not been here before. */
  function openBrowser() {
    cookie = ''
  }

  async function look(path: string, asked: Asked = {}) {
    return read(await app.ask('GET', path, asked))
  }

  return { ...app, owner, code, path, fillIn, send, begin, openBrowser, look }
}

type Asked = { query?: string; peer?: string; headers?: Record<string, string> }

async function read(response: Response) {
  return { response, status: response.status, html: await response.text() }
}

export function formOf(fields: Record<string, string>, photo?: Uint8Array): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  // Browsers send an empty file where none was chosen.
  form.set('photo', new Blob([new Uint8Array(photo ?? [])]), photo ? 'photo.jpg' : '')
  return form
}

export function tokenIn(html: string): string {
  return /name="page_token" value="([^"]+)"/.exec(html)?.[1] ?? ''
}

/** Returns the values of the page's form, by name. */
export function valuesIn(html: string): Record<string, string> {
  const values: Record<string, string> = {}
  const plain = (text = '') =>
    text
      .replaceAll('&quot;', '"')
      .replaceAll('&#x27;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
  for (const [input] of html.matchAll(/<input\b[^>]*>/g)) {
    const of = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1]
    const [name, type] = [of('name'), of('type')]
    if (!name || (/radio|checkbox/.test(type ?? '') && !/ checked\b/.test(input))) continue
    values[name] = type === 'checkbox' ? 'on' : plain(of('value'))
  }
  for (const [, name = '', text] of html.matchAll(
    /<textarea[^>]* name="(\w+)"[^>]*>([^<]*)<\/textarea>/g,
  )) {
    // The line ends of a form, which a browser shows as its own.
    values[name] = plain(text).replaceAll('\r\n', '\n')
  }
  return values
}

/** The columns of all conversations, without those that a test cannot know. */
export async function readConversations({ db }: Pick<TestApp, 'db'>) {
  const rows = await db.selectFrom('conversations').selectAll().orderBy('created_at').execute()
  const messages = await db
    .selectFrom('conversation_messages')
    .selectAll()
    .orderBy('sent_at')
    .execute()
  return rows.map((row) => ({
    ...row,
    messages: messages.filter((each) => each.conversation_id === row.id),
  }))
}
