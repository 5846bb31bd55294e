import { type Browser, chromium } from '@playwright/test'
import { findOrFail } from '#scripts/bootstrap/programs.mjs'
import { openFleet } from './dashboard.ts'
import type { Fleet } from './sample.ts'
import { median, type Row, toRow } from './support/report.ts'

/** A slow phone on a slow connection, with an empty cache. */
const CPU_SLOWDOWN = 6
const LINE = {
  offline: false,
  latency: 400,
  downloadThroughput: 250_000 / 8,
  uploadThroughput: 250_000 / 8,
}
const ROUNDS = 3
const PAGES = [
  { name: 'login', path: '/login' },
  { name: 'login with a password', path: '/login?mode=password' },
  { name: 'dashboard', path: '/dashboard' },
  { name: 'create form', path: '/dashboard?create=1' },
]
/** Requests for live messages and passkeys, which start after the page is ready. */
const LATER =
  /\/_(?:live|passkey)-\w+\.js$|\/api\/(?:conversations\/events|auth\/passkey\/options)$/

/** The requests of a first visit, and the time until the script handles a tap. */
export async function benchFirstVisit(fleet: Fleet): Promise<Row[]> {
  const { url, cookie, stop } = await openFleet(fleet)
  const executablePath = await findOrFail('chromium')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const rows: Row[] = []
    for (const { name, path } of PAGES) {
      const signedIn = path.startsWith('/dashboard') ? cookie : ''
      const visits = []
      for (let n = 0; n < ROUNDS; n++) visits.push(await visit(browser, url + path, signedIn))
      const seconds = median(visits.map(({ ms }) => ms)) / 1000
      const [{ requests = 0 } = {}] = visits
      rows.push(
        toRow(`First visit on a slow phone, ${name}, until its handlers are ready`, seconds, 's', {
          atMost: 2.5,
        }),
        toRow(`First visit, ${name}`, requests, 'requests', { atMost: 6 }),
      )
    }
    return rows
  } finally {
    await browser.close()
    await stop()
  }
}

async function visit(browser: Browser, url: string, cookie: string) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    ...(cookie && { extraHTTPHeaders: { cookie } }),
  })
  const page = await context.newPage()
  await page.addInitScript(noteReady)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', LINE)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  // A script that is prefetched and imported later is transferred once.
  const requested = new Set<string>()
  devtools.on('Network.requestWillBeSent', ({ request }) => {
    if (request.url.startsWith('http') && !LATER.test(request.url)) requested.add(request.url)
  })
  await page.goto(url, { waitUntil: 'commit' })
  const ready = await page.waitForFunction(() => window.readyAfter, undefined, { timeout: 60_000 })
  const ms = Number(await ready.jsonValue())
  await page.waitForLoadState('networkidle')
  await context.close()
  return { ms, requests: requested.size }
}

declare global {
  interface Window {
    readyAfter?: number
  }
}

/**
 * Runs in the page and records when the script listens. Islands without a form of `data-enhance` must be
 * hydrated by then.
 */
function noteReady(): void {
  const look = () => {
    if (window.readyAfter || !document.documentElement.hasAttribute('data-ready')) return
    const waiting = [...document.querySelectorAll('drive-island:not([ready])')]
    if (waiting.every((island) => island.querySelector('form[data-enhance]'))) {
      window.readyAfter = performance.now()
    }
  }
  const watched = { subtree: true, childList: true, attributes: true }
  new MutationObserver(look).observe(document, watched)
}
