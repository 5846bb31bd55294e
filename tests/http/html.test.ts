// @module-tag slow
import { HtmlValidate, type Report, StaticConfigLoader } from 'html-validate'
import { expect, test } from 'vitest'
import { openUncounted } from '#tests/support/authorisation.ts'
import { insertCode } from '#tests/support/codes.ts'
import { CHILD, UNCLAIMED } from '#tests/support/families.ts'
import { insertPaper } from '#tests/support/papers.ts'
import { thingsOf } from '#tests/support/things.ts'

/** Reads its rules once instead of for each page. */
class SameConfig extends StaticConfigLoader {
  readonly #config = super.getConfigFor('')

  override getConfigFor() {
    return this.#config
  }
}

/** The rules of the HTML standard and of accessibility, as in the Nu Html Checker. */
const checker = new HtmlValidate(
  new SameConfig({
    root: true,
    extends: ['html-validate:standard', 'html-validate:a11y', 'html-validate:document'],
    rules: {
      'input-attributes': 'error',
      // Everything comes from the server itself.
      'require-sri': 'off',
      // The specification wants two seconds before the owner's dashboard.
      'meta-refresh': 'off',
      // A dialog stands over a page that has its h1.
      'heading-level': ['error', { sectioningRoots: ['template'], minInitialRank: 'h2' }],
    },
  }),
)

/** Errors that the Nu Html Checker finds and this checker does not. */
const REFUSED: [string, RegExp][] = [
  ['aria-checked on a native checkbox', /<input(?=[^>]*type="checkbox")[^>]*aria-checked/],
  ['a switch that is no plain button', /<button(?=[^>]*role="switch")(?![^>]*type="button")/],
  [
    'a required choice that begins with a value',
    /<select(?=[^>]*required)[^>]*><option value="[^"]/,
  ],
  ['a refresh without a space', /http-equiv="refresh" content="\d+;\S/],
  ['aria-hidden on a label', /<label[^>]*aria-hidden/],
  ['a block in a span', /<span(?: [^>]*)?>(?:(?!<\/?span)[\s\S])*<(?:form|div|p|ul|section|h\d)\b/],
  ['a resource that the policy of the page does not name', /<link rel="prefetch"/],
]

/** An installation with data for every page, opened by each kind of caller. */
async function openInstallation() {
  const app = await openUncounted()
  const { db } = app
  const owner = await app.signUp({ subscription_plan: 'enterprise', name: 'Asha Patil' })
  const root = await app.signUp({ role: 'super_admin', name: 'Nandini Rao' })
  const things = thingsOf(app, owner)
  const full = await insertCode(db, owner.id, {
    email: 'asha@example.in',
    city_area: 'Pune',
    vehicle_registration: 'MH12QX4827',
    vehicle_make_model: 'Honda Activa',
    emergency_contact_name: 'Sunita',
    emergency_contact_phone: '+919000012345',
    blood_group: 'O+',
    public_message: 'Please call.',
    insurance_expiry_date: '2026-12-01',
  })
  await app.deps.scanPath.record({ qr_id: full.qr_id, device: 'phone', referrer: 'direct' })
  const unclaimed = (await insertCode(db, owner.id, UNCLAIMED)).qr_id
  const child = (await insertCode(db, owner.id, CHILD)).qr_id
  const pinned = await things.pinned()
  await things.held()
  await things.document()
  await things.share()
  await things.image()
  await things.key()
  await things.resetRequest()
  await things.upgrade()
  await things.theirUpgrade()
  await things.promo()
  await things.redemption()
  const strangers = [
    '/',
    '/login',
    '/login?expired=1',
    '/login?mode=register',
    '/login?mode=password&reset=true',
    '/login?mode=code',
    '/login?mode=forgot',
    '/api/docs',
    `/scan/${full.qr_id}`,
    `/scan/${full.qr_id}?lang=hi`,
    `/scan/${pinned}`,
    `/scan/${child}`,
    '/scan/none',
    '/police/none',
    `/claim?qr=${unclaimed}`,
    `/claim?qr=${full.qr_id}`,
    `/child-register?qr=${child}&forgot=1`,
    `/reset-password?token=${await things.resetToken()}`,
    '/reset-password?token=none',
    `/take/${await things.takeToken()}`,
  ]
  const owners = [
    '/dashboard',
    `/scan/${full.qr_id}`,
    '/dashboard?tab=my-qrs&made=1',
    '/grant-admin',
  ]
  const admins = ['/admin', '/admin-dashboard', '/grant-admin']
  const posts: [string, Record<string, string>][] = [
    [`/scan/${pinned}`, { pin: '0000' }],
    [`/scan/${pinned}`, { pin: '4711' }],
    ['/login?mode=register', { email: 'new@example.in' }],
    ['/login?mode=password', { contact: 'nobody', password: '' }],
    [`/claim?qr=${unclaimed}`, { qr_id: unclaimed }],
    [`/child-register?qr=${child}`, { qr_id: child }],
  ]
  return { ...app, owner, root, visits: { strangers, owners, admins }, posts }
}

type Installation = Awaited<ReturnType<typeof openInstallation>>

/** Every page reachable by links from these, including dialogs, by its URL. */
async function walk(
  { ask }: Installation,
  from: string[],
  cookie = '',
): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  const ahead = [...from]
  for (let path = ahead.shift(); path; path = ahead.shift()) {
    if (pages.has(path)) continue
    const headers = { Cookie: cookie, 'Accept-Language': 'en' }
    const answer = await ask('GET', path, { headers })
    const isHtml = answer.headers.get('Content-Type')?.startsWith('text/html')
    const html = isHtml ? await answer.text() : ''
    pages.set(path, html)
    const links = html.matchAll(/<a [^>]*href="(\/[^"#]*)/g)
    ahead.push(...Array.from(links, ([, href = '']) => href.replaceAll('&amp;', '&')))
    if (pages.size > 400) throw new Error('The walk does not come to an end')
  }
  return new Map([...pages].filter(([, html]) => html))
}

/** Replaces ids, tokens and numbers. */
const withoutNames = (html: string) => html.replaceAll(/[\w-]*\d[\w-]*/g, '0')

function faultsOf(path: string, html: string): string[] {
  const { results }: Report = checker.validateStringSync(html)
  return results
    .flatMap(({ messages }) => messages)
    .map(({ ruleId, message, selector }) => `${path}: ${ruleId}: ${message} (${selector})`)
    .concat(
      REFUSED.flatMap(([refusal, fault]) => (fault.test(html) ? [`${path}: ${refusal}`] : [])),
    )
}

test('a fault is found', () => {
  const page = (body: string) => `<!doctype html><html lang="en"><title>A</title>${body}</html>`
  for (const fault of [
    '<h1>A</h1><input type="date" maxlength="9" aria-label="B">',
    '<h1>A</h1><form><input aria-label="B"></form>',
    '<h1>A</h1><fieldset><input aria-label="B"></fieldset>',
    '<h1>A</h1><label><input type="checkbox" aria-checked="true"> B</label>',
    '<h1>A</h1><meta http-equiv="refresh" content="2;url=/a">',
  ]) {
    expect([fault, faultsOf('a', page(fault)).length]).not.toEqual([fault, 0])
  }
})

test('no picture that is seen first waits for the others', async () => {
  const { owner, visits, ask } = await openInstallation()
  const claim = visits.strangers.find((path) => path.startsWith('/claim')) ?? ''
  for (const path of [claim, '/dashboard']) {
    const html = await (await ask('GET', path, { headers: { Cookie: owner.cookie } })).text()
    expect(html).toContain('<img')
    expect(html).not.toContain('loading="lazy"')
  }
})

test('every page keeps the HTML standard', async () => {
  const installation = await openInstallation()
  const { owner, root, visits, posts, ask } = installation
  const pages = [
    ...(await walk(installation, visits.strangers)),
    ...(await walk(installation, visits.owners, owner.cookie)),
    ...(await walk(installation, visits.admins, root.cookie)),
  ]
  for (const [path, fields] of posts) {
    const answer = await ask('POST', path, { body: new URLSearchParams(fields) })
    pages.push([`POST ${path}`, await answer.text()])
  }
  expect(pages.length).toBeGreaterThan(100)
  // Several callers see the same pages. Others differ by ids and numbers alone.
  const different = new Map(pages.map(([path, html]) => [withoutNames(html), { path, html }]))
  const faults = [...different.values()].flatMap(({ path, html }) => faultsOf(path, html))
  expect(faults).toEqual([])
})

/** In the menu and beside it, and beside each field that only a script would follow. */
const ONCE_A_BAR = new Set(['button Logout', 'button Show'])

/** Returns the names of links and buttons that sound alike and do different things. */
function heardAlike(html: string): string[] {
  const acts = new Map<string, Set<string>>()
  // A menu is opened by a button that names its code.
  const lists = html.replaceAll(/<div class="menu-list">.*?<\/div>/gs, '')
  const controls = lists.matchAll(/<(a|button|summary|label)\b([^>]*)>(.*?)<\/\1>/gs)
  for (const { 1: kind, 2: attributes = '', 3: inner = '', index } of controls) {
    const alt = inner.match(/ alt="([^"]*)"/)?.[1] ?? ''
    const label = attributes.match(/aria-label="([^"]*)"/)?.[1]
    const name = `${kind} ${label ?? inner.replaceAll(/<[^>]*>/g, '') + alt}`
    if (ONCE_A_BAR.has(name)) continue
    const act = attributes.match(/href="([^"]*)"/)?.[1] ?? String(index)
    acts.set(name, (acts.get(name) ?? new Set()).add(act))
  }
  return [...acts].filter(([, { size }]) => size > 1).map(([name]) => name)
}

test('the controls of codes and of their papers are not heard alike', async () => {
  const app = await openUncounted()
  const owner = await app.signUp({ subscription_plan: 'enterprise' })
  for (const [n, vehicle_registration] of ['MH12QX4827', null, 'MH14AB1234'].entries()) {
    const { qr_id } = await insertCode(app.db, owner.id, { vehicle_registration })
    const paper = { document_type: 'insurance', expires_on: '2026-12-01', file_name: `${n}.pdf` }
    const { id } = await insertPaper(app.db, { qr_id, account_id: owner.id }, paper)
    const shared = new URLSearchParams({ share_method: 'download' })
    const headers = { Cookie: owner.cookie, 'Sec-Fetch-Site': 'same-origin' }
    await app.ask('POST', `/dashboard/gallery/${id}/share`, { headers, body: shared })
    const things = thingsOf(app, owner)
    await things.blank()
    await things.held()
    await things.transferred()
  }
  for (const tab of ['my-qrs', 'my-qrs&select=1', 'documents', 'gallery']) {
    const answer = await app.ask('GET', `/dashboard?tab=${tab}`, {
      headers: { Cookie: owner.cookie },
    })
    expect([tab, heardAlike(await answer.text())]).toEqual([tab, []])
  }
})
