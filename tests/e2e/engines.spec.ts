import { readdirSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { decode } from '#tests/e2e/support/decode.ts'
import { type Engine, startFirefox, startWebKit } from '#tests/e2e/support/engines.ts'
import { type RunningServer, startServer } from '#tests/e2e/support/server.ts'

const OWNER = { name: 'Ramesh Kulkarni', phone: '98765 43210' }
const PASSWORD = 'correct horse'
const TEXT = '() => document.body.innerText.replace(/\\s+/g, " ")'
const PATH = '() => location.pathname'

const { FIREFOX, WEBKIT_DRIVER, XVFB, CI } = process.env

/** `npm test -- --all` reports missing packages. */
const skipWithout = (...programs: (string | undefined)[]) =>
  test.skip(!CI && programs.includes(undefined), 'this browser is not installed here')

test.describe('the main job in', () => {
  let server: RunningServer
  test.beforeEach(async () => {
    server = await startServer()
  })
  test.afterEach(() => server.stop())

  test('Firefox, where a stranger has no script', async () => {
    skipWithout(FIREFOX)
    const start = (options = {}) => startFirefox(FIREFOX ?? 'firefox-esr', options)
    const address = await using(await start(), register)
    await using(await start({ script: false }), async (stranger) => {
      await stranger.open(`${server.url}/login`)
      expect(await stranger.run('() => document.documentElement.dataset.ready ?? null')).toBe(null)
      await expectOwner(stranger, address)
    })
  })

  test('WebKit', async () => {
    skipWithout(WEBKIT_DRIVER, XVFB)
    const start = () => startWebKit(WEBKIT_DRIVER ?? 'WebKitWebDriver', XVFB ?? 'Xvfb')
    const address = await using(await start(), register)
    await using(await start(), (stranger) => expectOwner(stranger, address))
  })

  async function using<T>(engine: Engine, work: (engine: Engine) => Promise<T>): Promise<T> {
    try {
      return await work(engine)
    } finally {
      await engine.stop()
    }
  }

  /** Registers, creates a code, and returns the URL in its image. */
  async function register({ open, press, fill, run, folder }: Engine): Promise<string> {
    await open(server.url)
    await press('Create My QR Code')
    await press('Register with Email OTP')
    await fill('Email', 'ramesh@example.in')
    await press('Send OTP')
    await press('Click to Auto-Fill OTP')
    await fill('Full Name', OWNER.name)
    await fill('Password', PASSWORD)
    await fill('Confirm Password', PASSWORD)
    await press('Verify & Register')
    await expect.poll(() => run(PATH)).toBe('/dashboard')
    await press('Create QR Code')
    await fill('Full Name', OWNER.name)
    await fill('Mobile Number', OWNER.phone)
    await press('Create QR Code')
    await expect.poll(() => run(TEXT)).toContain('Your code is ready')
    await open(`${server.url}/dashboard`)
    await expect.poll(() => run(TEXT)).toContain('0 scans')
    await press('PNG')
    // Firefox makes the file before it has its bytes.
    const pictures = () =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /qr.*\.png$/i.test(name))
        .filter((name) => statSync(join(folder, name)).size > 0)
    await expect.poll(pictures).toHaveLength(1)
    const address = await decode(await readFile(join(folder, pictures()[0] ?? '')))
    expect(address).toMatch(new RegExp(`^${server.url}/scan/[0-9A-HJKMNP-TV-Z]{12}$`))
    return address
  }

  async function expectOwner({ open, run }: Engine, address: string): Promise<void> {
    await open(address)
    const text = await run<string>(TEXT)
    expect(text).toContain(OWNER.name)
    expect(text).toContain('This key belongs to a wonderful human being.')
    const calls = '() => document.querySelectorAll(\'a[href="tel:+919876543210"]\').length'
    expect(await run(calls)).toBeGreaterThan(0)
    expect(await run('() => document.scripts.length')).toBe(0)
  }
})
