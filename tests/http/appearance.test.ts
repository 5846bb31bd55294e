import { describe, expect, test } from 'vitest'
import { openTestApp } from '#tests/support/app.ts'

async function openSignedIn() {
  const app = await openTestApp()
  const { cookie } = await app.signUp()
  async function choose(appearance: string, referer?: string) {
    const body = new URLSearchParams({ appearance })
    const headers = { 'Sec-Fetch-Site': 'same-origin', ...(referer && { Referer: referer }) }
    return app.ask('POST', '/appearance', { body, headers: { cookie, ...headers } })
  }
  async function open(remembered: string) {
    const headers = { cookie: `${cookie}; driveqr_appearance=${remembered}` }
    return (await app.ask('GET', '/dashboard', { headers })).text()
  }
  return { ...app, choose, open }
}

function sheetOf(html: string): string | undefined {
  return /<link rel="stylesheet" href="\/assets\/([a-z-]+)-TEST.css"/.exec(html)?.[1]
}

function pressed(html: string): string[] {
  return [...html.matchAll(/value="(auto|light|dark)" aria-pressed="true"/g)].map(
    ([, at]) => at ?? '',
  )
}

describe('signed-in pages', () => {
  test('follow the device until a choice is made, and for unknown choices', async () => {
    const { open } = await openSignedIn()
    for (const html of [await open('auto'), await open('mauve')]) {
      expect(sheetOf(html)).toBe('app-auto')
      expect(html).toContain('<meta name="color-scheme" content="light dark"/>')
      expect(pressed(html)).toEqual(['auto'])
    }
  })

  test('are dark or light for good when asked to, from the first paint on', async () => {
    const { open } = await openSignedIn()
    const dark = await open('dark')
    expect(sheetOf(dark)).toBe('app-dark')
    expect(dark).toContain('<meta name="color-scheme" content="dark"/>')
    expect(pressed(dark)).toEqual(['dark'])
    const light = await open('light')
    expect(sheetOf(light)).toBe('app')
    expect(light).toContain('<meta name="color-scheme" content="light"/>')
    expect(pressed(light)).toEqual(['light'])
  })

  test('leave public pages as they are', async () => {
    const { ask } = await openTestApp()
    const answer = await ask('GET', '/terms', { headers: { cookie: 'driveqr_appearance=dark' } })
    const html = await answer.text()
    expect(sheetOf(html)).toBe('public')
    expect(html).toContain('<meta name="color-scheme" content="light"/>')
  })
})

describe('the switch', () => {
  test('is remembered on the device, and leads back to the page and the place it stood on', async () => {
    const { choose } = await openSignedIn()
    const answer = await choose('dark', 'http://localhost:3000/dashboard?tab=analytics&q=mh')
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/dashboard?tab=analytics&q=mh')
    expect(answer.headers.get('set-cookie')).toMatch(
      /^driveqr_appearance=dark; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    const unknown = await choose('mauve')
    expect(unknown.headers.get('set-cookie')).toMatch(/^driveqr_appearance=auto;/)
  })

  test('never redirects to another site or to a form’s action', async () => {
    const { choose } = await openSignedIn()
    for (const referer of [
      'https://evil.example/',
      'https://evil.example//evil.example',
      'http://localhost:3000/dashboard/qr',
      'not an address',
    ]) {
      expect((await choose('dark', referer)).headers.get('location')).toBe('/dashboard')
    }
  })

  test('is not thrown by another site', async () => {
    const { ask } = await openSignedIn()
    const headers = { cookie: 'driveqr_appearance=light', 'Sec-Fetch-Site': 'cross-site' }
    const body = new URLSearchParams({ appearance: 'dark' })
    expect((await ask('POST', '/appearance', { body, headers })).status).toBe(403)
  })
})
