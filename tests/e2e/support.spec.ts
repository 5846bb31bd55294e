import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext } from '@playwright/test'
import { watchForProblems } from '#tests/e2e/support/problems.ts'
import { startServer } from '#tests/e2e/support/server.ts'
import { expect, expectAccessible, test } from '#tests/e2e/support/test.ts'
import { launch } from '#tests/support/server.ts'

// The other browser tests rely on this: each kind of problem must fail a test.
async function problemsOf(context: BrowserContext, html: string, csp = "default-src 'none'") {
  const problems = await watchForProblems(context)
  const headers = { 'content-security-policy': csp }
  await context.route('**/trouble', (route) =>
    route.fulfill({ contentType: 'text/html', headers, body: `<!doctype html>${html}` }),
  )
  const page = await context.newPage()
  await page.goto('/trouble', { waitUntil: 'networkidle' })
  return problems
}

test.describe('without an explicit check, a browser test fails on', () => {
  const anyScript = "script-src 'unsafe-inline'"
  let context: BrowserContext
  test.beforeEach(async ({ browser, baseURL }) => {
    context = await browser.newContext({ baseURL })
  })
  test.afterEach(() => context.close())

  test('an error in the console', async () => {
    const html = '<script>console.error("something broke")</script>'
    const problems = await problemsOf(context, html, anyScript)
    expect(problems.report()).toEqual(['console: something broke'])
  })

  test('an uncaught error', async () => {
    const html = '<script>setTimeout(() => { throw new Error("lost") })</script>'
    const problems = await problemsOf(context, html, anyScript)
    expect(problems.report()).toContain('page error: lost')
  })

  test('a violation of the content policy', async () => {
    const problems = await problemsOf(context, '<style>p { color: red }</style>')
    expect(problems.report()).toContain('CSP: style-src-elem blocked inline')
  })

  test('an expected problem that does not occur', async () => {
    const problems = await problemsOf(context, '<p>All is well</p>')
    problems.expect(/status of 404/)
    expect(problems.report()).toEqual(['expected but never seen: /status of 404/'])
  })

  test('and accepts an expected problem', async () => {
    const html = '<script>console.error("something broke")</script>'
    const problems = await problemsOf(context, html, anyScript)
    problems.expect(/something broke/)
    expect(problems.report()).toEqual([])
  })
})

test('a problem that a test does not expect fails it', async ({ page }) => {
  test.fail()
  await page.goto('/healthz')
  await page.evaluate(() => console.error('something broke'))
})

test('a page that breaks an accessibility rule fails the test', async ({ page }) => {
  await page.setContent('<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">')
  await expect(expectAccessible(page)).rejects.toThrow(/image-alt/)
})

test('a server that cannot start gives the reason', async () => {
  await expect(startServer({ PORT: '99999' })).rejects.toThrow(/PORT/)
})

test.describe('the log of the built product', () => {
  test.skip(process.platform !== 'linux', 'needs `script` of util-linux')

  async function outputOf(env: Record<string, string>, under: string[] = []) {
    const dataDir = await mkdtemp(join(tmpdir(), 'driveqr-e2e-'))
    const server = await launch({ dataDir, env, under })
    expect(await server.serves()).toBe(true)
    server.kill('SIGTERM')
    await server.ended
    await rm(dataDir, { recursive: true })
    return server.output()
  }
  const TERMINAL = ['sh', '-c', 'exec script -qec "$0 $1" /dev/null']
  const AS_JSON = /^{"level":30,.*"msg":"listening"}\r?$/m

  test('is readable lines at a terminal', async () => {
    const output = await outputOf({}, TERMINAL)
    expect(output).toMatch(/^\d\d:\d\d:\d\d info listening publicUrl=http:\S+ production=false\r$/m)
    expect(output).not.toContain('{"level"')
  })

  test('is JSON for a program, and in production at a terminal too', async () => {
    expect(await outputOf({})).toMatch(AS_JSON)
    expect(await outputOf({ NODE_ENV: 'production' }, TERMINAL)).toMatch(AS_JSON)
  })
})
