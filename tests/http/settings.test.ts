import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { BROWSERS, buildSheet } from '#scripts/_sheets.ts'
import { openTestApp } from '#tests/support/app.ts'
import { thingsOf } from '#tests/support/things.ts'

const PAGES = [
  '/settings',
  '/settings/profile',
  '/settings/people',
  '/settings/security',
  '/settings/notifications',
  '/settings/branding',
  '/settings/calendar',
  '/settings/plan',
  '/settings/support',
  '/settings/api-keys',
  '/settings/data',
]

const classesIn = (css: string) =>
  new Set([...css.matchAll(/\.([a-z][\w-]*)(?=[^"{}]*\{|[^"{}]*,)/g)].map(([, name = '']) => name))

async function openInstallation() {
  const app = await openTestApp()
  async function read(cookie: string, path: string): Promise<string> {
    const answer = await app.ask('GET', path, { headers: { Cookie: cookie } })
    expect([path, answer.status]).toEqual([path, 200])
    return answer.text()
  }
  return { ...app, read }
}

describe('Settings', () => {
  test('is in the menu of every signed-in page', async () => {
    const { read, signUp } = await openInstallation()
    const { cookie } = await signUp({ role: 'super_admin', subscription_plan: 'enterprise' })
    const tabs = ['messages', 'popup-images', 'documents', 'gallery', 'analytics']
    const paths = ['/dashboard', ...tabs.map((tab) => `/dashboard?tab=${tab}`), ...PAGES]
    for (const path of [...paths, '/admin', '/admin-dashboard', '/grant-admin']) {
      const menu = /<div class="menu-list">(.*?)<\/details>/.exec(await read(cookie, path))?.[1]
      expect([path, menu]).toEqual([path, expect.stringContaining('href="/settings"')])
    }
  })

  test('is there for owners, child users, moderators and admins alike', async () => {
    const { read, signUp } = await openInstallation()
    const owner = await signUp()
    const accounts = [
      owner,
      await signUp({ parent_id: owner.id, email: null, mobile: '+919876543210' }),
      await signUp({ role: 'moderator' }),
      await signUp({ role: 'admin' }),
    ]
    for (const { cookie } of accounts) for (const path of PAGES) await read(cookie, path)
  })

  test('lists each of its pages with its settings, and nothing that does not exist', async () => {
    const { read, signUp, ask } = await openInstallation()
    const owner = await signUp({ subscription_plan: 'enterprise' })
    await ask('POST', '/api/api-keys', { as: owner, json: { name: 'Stock' } })
    const html = await read(owner.cookie, '/settings')
    const cards = [...html.matchAll(/<a class="card card-link" href="([^"]+)"/g)]
    expect(cards.map(([, href]) => href)).toEqual(PAGES.slice(1))
    expect(html).toContain('1 key')
    const free = await signUp()
    const others = await read(free.cookie, '/settings')
    expect(others).toContain('API access is available on the Enterprise plan')
  })

  test('shows on each page where it is, and the way back', async () => {
    const { read, signUp } = await openInstallation()
    const { cookie } = await signUp()
    const html = await read(cookie, '/settings/api-keys')
    const [, crumbs = ''] = /<ol class="crumbs">(.*?)<\/ol>/.exec(html) ?? []
    expect([...crumbs.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
      '/dashboard',
      '/settings',
    ])
    expect(html).toMatch(/href="\/settings\/api-keys" aria-current="page"/)
    expect(html).toMatch(/<h1[^>]*>API keys<\/h1>/)
  })

  test('has its styles beside those of all signed-in pages, and the dashboard has not', async () => {
    const { ask, signUp } = await openInstallation()
    const { cookie } = await signUp()
    const read = async (path: string) =>
      (await ask('GET', path, { headers: { Cookie: cookie } })).text()
    const part = 'href="/assets/part-settings-TEST.css"'
    expect(await read('/settings')).toContain(part)
    expect(await read('/dashboard')).not.toContain(part)
  })

  test('has in its sheets the styles of every class of its pages', async () => {
    const app = await openInstallation()
    const owner = await app.signUp({ subscription_plan: 'enterprise' })
    const things = thingsOf(app, owner)
    const webhook = `/settings/notifications/webhooks/${await things.webhook()}`
    await things.delivery()
    const own = ['app', 'part-settings', 'part-security', 'part-branding', 'part-tickets'].map(
      (name) => buildSheet(`components/css/${name}.css`, BROWSERS),
    )
    const styled = classesIn((await Promise.all(own)).join('\n'))
    // Rules of other languages are left out: signed-in pages are in English.
    const all = globSync('components/**/*.css')
      .filter((file) => !/(-rtl|\/languages)\.css$/.test(file))
      .map((file) => readFileSync(file, 'utf8'))
    const elsewhere = [...classesIn(all.join('\n'))].filter((name) => !styled.has(name))
    expect(elsewhere).toContain('stat-plain')
    for (const path of [...PAGES, webhook, '/settings/notifications?connect=ntfy']) {
      const names = [...(await app.read(owner.cookie, path)).matchAll(/class="([^"]+)"/g)]
      const used = new Set(names.flatMap(([, text = '']) => text.split(' ')))
      expect([path, ...elsewhere.filter((name) => used.has(name))]).toEqual([path])
    }
  })

  test('keeps its place when the appearance is changed', async () => {
    const { ask, signUp } = await openInstallation()
    const { cookie } = await signUp()
    for (const path of PAGES) {
      const headers = {
        Cookie: cookie,
        'Sec-Fetch-Site': 'same-origin',
        Referer: `http://localhost:3000${path}`,
      }
      const body = new URLSearchParams({ appearance: 'dark' })
      const answer = await ask('POST', '/appearance', { headers, body })
      expect(answer.headers.get('Location')).toBe(path)
    }
  })

  test('leads visitors without a session to the login', async () => {
    const { ask } = await openInstallation()
    for (const path of PAGES) {
      const answer = await ask('GET', path)
      expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/login'])
    }
  })
})
