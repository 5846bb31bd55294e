import { expect, test } from 'vitest'
import { LANGS, type Lang } from '#locales/languages.ts'
import { insertCode } from '#tests/support/codes.ts'
import { UNCLAIMED } from '#tests/support/families.ts'
import { openFound } from '#tests/support/finder.ts'

const MOST_BYTES = 4.5 * 1024

type Asked = { method?: string; path: string; kept?: string }

async function openErrors() {
  const app = await openFound()
  const { code, db, owner } = app
  const { qr_id: unclaimed } = await insertCode(db, owner.id, UNCLAIMED)
  const scan = `/scan/${code.qr_id}`
  const look = async ({ method = 'GET', path }: Asked, lang: Lang, gzip = false) => {
    const headers = {
      'Accept-Language': lang,
      'Sec-Fetch-Site': 'same-origin',
      ...(gzip && { 'Accept-Encoding': 'gzip' }),
    }
    const body = method === 'POST' ? new URLSearchParams({ owner_name: 'Farhan' }) : undefined
    return app.ask(method, path, { headers, ...(body && { body }) })
  }
  /** Returns the ways in which the page breaks the promise of a menu whose every language leads on. */
  async function wrongWith(asked: Asked, status: number): Promise<unknown[]> {
    const answer = await look(asked, 'pa')
    const html = await answer.text()
    const hrefs = [...html.matchAll(/<li><a href="\?([^"]*)" lang="(\w+)"/g)]
    const found = hrefs.map(([, query = '', lang]) => [query.replaceAll('&amp;', '&'), lang])
    const wanted = LANGS.map((lang) => [`${asked.kept ?? ''}lang=${lang}`, lang])
    const packed = await (await look(asked, 'pa', true)).arrayBuffer()
    const wrong = {
      status: answer.status === status ? undefined : answer.status,
      language: /<html lang="pa"/.test(html) ? undefined : html.slice(0, 60),
      menu: JSON.stringify(found) === JSON.stringify(wanted) ? undefined : found,
      script: /<script/.test(html) || undefined,
      bytes: packed.byteLength <= MOST_BYTES ? undefined : packed.byteLength,
    }
    const isWrong = Object.values(wrong).some((each) => each !== undefined)
    return isWrong ? [asked, wrong] : []
  }
  return { ...app, scan, unclaimed, look, wrongWith }
}

test('a page that was asked for too often has the menu', async () => {
  const { scan, unclaimed, look, wrongWith } = await openErrors()
  for (let n = 0; n < 61; n++) await look({ path: scan }, 'en')
  const pages = [
    { path: scan },
    { path: `${scan}?seen=1`, kept: 'seen=1&' },
    { path: `${scan}?${'x'.repeat(300)}=1` },
    { path: `${scan}/message` },
    { path: `${scan}/report` },
    { path: '/c/x?stop=1', kept: 'stop=1&' },
    { path: `/claim?qr=${unclaimed}`, kept: `qr=${unclaimed}&` },
    { path: `/child-register?qr=${unclaimed}`, kept: `qr=${unclaimed}&` },
  ]
  for (const page of pages) expect(await wrongWith(page, 429)).toEqual([])
  const busy = await look({ path: `${scan}?lang=` }, 'ta')
  expect(await busy.text()).toContain('<details class="langs" open="">')
  const chosen = await look({ path: `${scan}?lang=ur` }, 'ta')
  expect([chosen.status, chosen.headers.get('Retry-After')]).toEqual([429, expect.any(String)])
  expect(chosen.headers.get('Set-Cookie')).toContain('lang=ur;')
  expect(await chosen.text()).toContain('<html lang="ur" dir="rtl"')
})

test('a page of a fault has the menu', async () => {
  const { scan, unclaimed, wrongWith, deps } = await openErrors()
  const find = () => Promise.reject(new Error('the disk is gone'))
  deps.scanPath = { ...deps.scanPath, find }
  const qr = `qr=${unclaimed}&`
  const pages = [
    { path: scan },
    { path: `${scan}/message` },
    { path: `${scan}/report` },
    { path: `/claim?qr=${unclaimed}`, kept: qr },
    { path: `/child-register?qr=${unclaimed}`, kept: qr },
    { method: 'POST', path: scan },
    { method: 'POST', path: `${scan}/report` },
  ]
  for (const page of pages) expect(await wrongWith(page, 500)).toEqual([])
})

test('a fault while a conversation ends leads to the question, in each language', async () => {
  const { begin, look, wrongWith, deps } = await openErrors()
  const { page } = await begin()
  const { db } = deps
  deps.db = {} as never
  expect(await wrongWith({ method: 'POST', path: `${page}/stop` }, 500)).toEqual([])
  deps.db = db
  const next = await look({ path: `${page}/stop?lang=te` }, 'en')
  expect([next.status, next.headers.get('Location')]).toEqual([303, `${page}?stop=1`])
  expect(next.headers.get('Set-Cookie')).toContain('lang=te;')
})

test('a link that is no longer valid has the menu, and so has an unknown code', async () => {
  const { wrongWith, code, look } = await openErrors()
  expect(await wrongWith({ path: '/take/x' }, 404)).toEqual([])
  const reset = { path: '/reset-password?token=x', kept: 'token=x&' }
  expect(await wrongWith(reset, 400)).toEqual([])
  const claimed = { path: `/claim?qr=${code.qr_id}`, kept: `qr=${code.qr_id}&` }
  expect(await wrongWith(claimed, 409)).toEqual([])
  expect(await wrongWith({ path: '/police/000000000000' }, 404)).toEqual([])
  expect(await wrongWith({ path: '/scan/000000000000?lang=' }, 404)).toEqual([])
  const unknown = await (await look({ path: '/scan/000000000000' }, 'pa')).text()
  expect(unknown).toContain('<a class="lang" href="?lang=">')
})

test('a page in English alone has none', async () => {
  const { ask, owner } = await openErrors()
  const headers = { Cookie: owner.cookie, 'Accept-Language': 'pa' }
  const page = await ask('GET', '/dashboard/qr/nothing/image', { headers })
  expect(await page.text()).not.toContain('class="langs"')
})
