import { expect, test } from 'vitest'
import { LANGS, LANGUAGES, type Lang } from '#locales/languages.ts'
import { insertCode } from '#tests/support/codes.ts'
import { registeredChild, UNCLAIMED } from '#tests/support/families.ts'
import { openFound, TYPED } from '#tests/support/finder.ts'

type Choice = { query?: string; cookie?: string; accept?: string }

/** An application, and the pages that people without an account meet. */
async function openPages() {
  const app = await openFound()
  const scan = `/scan/${app.code.qr_id}`
  const unclaimed = await insertCode(app.db, app.owner.id, UNCLAIMED)
  const child = await insertCode(app.db, app.owner.id, { ...UNCLAIMED, qr_type: 'child' })
  const paths = [
    scan,
    '/scan/000000000000',
    `${scan}/message`,
    `${scan}/report`,
    '/c/x',
    `/police/${app.code.qr_id}`,
    `/claim?qr=${unclaimed.qr_id}`,
    `/child-register?qr=${child.qr_id}`,
    '/reset-password?token=x',
    '/take/x',
    '/invite/x',
    '/transfer/x',
  ]
  const look = async (path: string, { query, cookie, accept }: Choice = {}) => {
    const url = query === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}lang=${query}`
    const headers = {
      ...(cookie && { cookie }),
      ...(accept && { 'Accept-Language': accept }),
    }
    const answer = await app.ask('GET', url, { headers })
    const html = await answer.text()
    return { answer, html, lang: /<html lang="(\w+)"/.exec(html)?.[1] }
  }
  return { ...app, scan, paths, look }
}

test.each<[Choice, Lang]>([
  [{}, 'en'],
  [{ accept: 'ta-IN,en;q=0.8' }, 'ta'],
  [{ accept: 'ta;q=0.4,te;q=0.5' }, 'te'],
  [{ accept: 'ta', cookie: 'lang=kn' }, 'kn'],
  [{ accept: 'ta', cookie: 'lang=kn', query: 'ur' }, 'ur'],
  [{ accept: 'ta', cookie: 'lang=kn', query: '' }, 'kn'],
  [{ accept: 'ta', cookie: 'lang=kn', query: 'xx' }, 'kn'],
  [{ accept: 'ta', cookie: 'lang=xx' }, 'ta'],
  [{ cookie: 'other=1; lang=ml' }, 'ml'],
  [{ accept: 'ur', query: 'en' }, 'en'],
])('the query, then the cookie, then the browser choose: %j is %s', async (choice, lang) => {
  const { paths, look } = await openPages()
  for (const path of paths) {
    const page = await look(path, choice)
    expect([path, page.lang]).toEqual([path, lang])
    expect(page.html.includes(' dir="rtl"')).toBe(LANGUAGES[lang].dir === 'rtl')
  }
})

test('every page has its language and the header Vary, and no cache keeps it', async () => {
  const { paths, look } = await openPages()
  for (const path of paths) {
    const { headers } = (await look(path, { accept: 'pa' })).answer
    expect([path, headers.get('Content-Language')]).toEqual([path, 'pa'])
    expect(headers.get('Vary')?.split(', ')).toEqual(
      expect.arrayContaining(['Accept-Encoding', 'Accept-Language', 'Cookie']),
    )
    expect(headers.get('Cache-Control')).toMatch(/^(?:no-store|private, no-cache)$/)
  }
})

test('only choosing sets the cookie, for every page and a year', async () => {
  const { paths, look } = await openPages()
  for (const path of paths) {
    for (const choice of [{}, { accept: 'ta' }, { cookie: 'lang=ta' }, { query: '' }]) {
      const { answer } = await look(path, choice)
      expect([path, answer.headers.get('Set-Cookie') ?? '']).toEqual([
        path,
        expect.not.stringMatching(/\blang=/),
      ])
    }
    const forged = await look(path, { query: 'ta;Path=/x' })
    expect(forged.answer.headers.get('Set-Cookie') ?? '').not.toMatch(/\blang=/)
    const { answer } = await look(path, { query: 'ta' })
    const set = answer.headers.getSetCookie().filter((each) => each.startsWith('lang='))
    expect(set).toEqual([expect.stringMatching(/^lang=ta; Max-Age=31536000; Path=\/; /)])
    expect(set[0]).toContain('HttpOnly')
    expect(set[0]).toContain('SameSite=Lax')
  }
})

test('a button of the form chooses, and keeps what was typed', async () => {
  const { path, ask, fillIn } = await openPages()
  const body = await fillIn({ ...TYPED, lang: 'gu' })
  const answer = await ask('POST', path, { body, headers: { 'Sec-Fetch-Site': 'same-origin' } })
  const html = await answer.text()
  expect(html).toContain('<html lang="gu"')
  expect(html).toContain(`value="${TYPED.place}"`)
  expect(answer.headers.get('Set-Cookie')).toMatch(/^lang=gu;/)
})

test.each(['claim', 'child', 'forgot'])(
  'the form of the page %s keeps it too, but for passwords',
  async (name) => {
    const app = await openPages()
    const insert = async (fields: object) =>
      (await insertCode(app.db, app.owner.id, { ...UNCLAIMED, ...fields })).qr_id
    const child = { qr_type: 'child' } as const
    const path = {
      claim: `/claim?qr=${await insert({})}`,
      child: `/child-register?qr=${await insert(child)}`,
      forgot: `/child-register?qr=${(await registeredChild(app, app.owner.id)).qr_id}&forgot=1`,
    }[name] as string
    const typed: Record<string, Record<string, string>> = {
      claim: { owner_name: 'Farhan', contact_phone: '98450', city_area: 'Dadar' },
      child: { name: 'Gurleen', contact: 'g@example.in', adult: 'no', password: 'first horse' },
      forgot: { contact: '98140 12345' },
    }
    const codes = () => app.db.selectFrom('qr_codes').selectAll().orderBy('id').execute()
    const before = await codes()
    const body = new URLSearchParams({ ...typed[name], lang: 'gu' })
    const headers = { 'Sec-Fetch-Site': 'same-origin' }
    const answer = await app.ask('POST', path, { body, headers })
    const html = await answer.text()
    expect([answer.status, /<html lang="(\w+)"/.exec(html)?.[1]]).toEqual([200, 'gu'])
    const { password: _, adult, ...shown } = typed[name] as Record<string, string>
    for (const value of Object.values(shown)) expect(html).toContain(`value="${value}"`)
    expect(/<input[^>]*value="no"[^>]*>/.exec(html)?.[0].includes(' checked=""') ?? false).toBe(
      adult === 'no',
    )
    expect(html).not.toContain('first horse')
    expect(await codes()).toEqual(before)
  },
)

test('one code asked for in all languages at once is answered in each', async () => {
  const { scan, look } = await openPages()
  const asked = [...LANGS, ...LANGS, ...LANGS]
  const pages = await Promise.all(asked.map((accept) => look(scan, { accept })))
  expect(pages.map(({ lang }) => lang)).toEqual(asked)
  const headings = pages.map(({ html }) => /<h1>(.*?)<\/h1>/.exec(html)?.[1])
  expect(new Set(headings).size).toBe(LANGS.length)
})

test('pages for people with an account are English for every browser', async () => {
  const { look, owner } = await openPages()
  for (const path of ['/', '/login', '/dashboard']) {
    const cookie = path === '/dashboard' ? `${owner.cookie}; lang=ur` : 'lang=ur'
    const { answer, lang } = await look(path, { accept: 'ur', cookie, query: 'ur' })
    expect([path, lang]).toEqual([path, 'en'])
    expect(answer.headers.get('Vary') ?? '').not.toContain('Accept-Language')
    expect(answer.headers.get('Set-Cookie') ?? '').not.toContain('lang=')
  }
})
