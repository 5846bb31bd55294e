import { readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test as base, expect, type Page } from '@playwright/test'
import type axe from 'axe-core'
import { type Problems, watchForProblems } from '#tests/e2e/support/problems.ts'
import { type RunningServer, startServer } from '#tests/e2e/support/server.ts'
import { makeQuickFolder } from '#tests/support/quick-folder.ts'
import { startMailServer } from '#tests/support/smtp.ts'

declare global {
  interface Window {
    axe: typeof axe
  }
}

type Fixtures = {
  /** Gives a test its own empty server with these settings (`{}`: none). */
  serverEnv: Record<string, string> | undefined
  /** The settings of the server that the test shares. */
  sharedEnv: Record<string, string>
  /** The built product: a server that a worker's tests share, or the test's own. */
  server: RunningServer
  /** Problems that the test does not expect fail it, even if it does not use this. */
  problems: Problems
}

type WorkerFixtures = {
  /** The server of these settings that a worker's tests share. */
  findServer: (env: Record<string, string>) => Promise<RunningServer>
  /** Where the mails to the worker's tests arrive, if a server sends them there. */
  mailbox: Awaited<ReturnType<typeof startMailServer>>
  /** A folder for the worker's tests. */
  folder: string
}

/** The settings of a typical service. The tests share one address, so requests are not counted. */
const SHARED_SETTINGS = {
  RATE_LIMITS: 'off',
  UPI_ID: 'driveqr@examplebank',
  BANK_ACCOUNT_NUMBER: '001234567890',
  BANK_IFSC: 'EXMP0001234',
  SUPPORT_EMAIL: 'pay@example.in',
}

/** Keeps the typical service and the last of all others: tests that share one stand together. */
async function shareServers(use: (find: WorkerFixtures['findServer']) => Promise<void>) {
  const running = new Map<string, RunningServer>()
  const typical = JSON.stringify(SHARED_SETTINGS)
  const stopAll = async (all: string[]) => {
    for (const settings of all) {
      await running.get(settings)?.stop()
      running.delete(settings)
    }
  }
  await use(async (env) => {
    const settings = JSON.stringify(env)
    const found = running.get(settings)
    if (found) return found
    const others = [...running.keys()].filter((other) => other !== typical)
    if (settings !== typical) await stopAll(others)
    const server = await startServer(env)
    running.set(settings, server)
    return server
  })
  await stopAll([...running.keys()])
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  serverEnv: [undefined, { option: true }],
  sharedEnv: [SHARED_SETTINGS, { option: true }],
  findServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from here
    async ({}, use) => shareServers(use),
    { scope: 'worker' },
  ],
  // Beside the others, because a worker of its own for a few tests starts a browser of its own.
  mailbox: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from here
    async ({}, use) => {
      const mailbox = await startMailServer()
      await use(mailbox)
      await mailbox.stop()
    },
    { scope: 'worker' },
  ],
  folder: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from here
    async ({}, use) => {
      const folder = makeQuickFolder()
      await use(folder)
      rmSync(folder, { recursive: true })
    },
    { scope: 'worker' },
  ],
  server: async ({ serverEnv, sharedEnv, findServer }, use) => {
    if (!serverEnv) return use(await findServer(sharedEnv))
    const server = await startServer(serverEnv)
    await use(server)
    await server.stop()
  },
  baseURL: async ({ server }, use) => {
    await use(server.url)
  },
  problems: [
    async ({ context }, use) => {
      const problems = await watchForProblems(context)
      await use(problems)
      expect(problems.report(), 'problems in the browser').toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

const DESKTOP_PX = 1000

/** Each page has to read it, which takes as long as checking a small one. The unminified file takes twice that. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Fails with axe's explanations if the current page breaks an accessibility rule. */
export async function expectAccessible(page: Page, ...onlyRules: string[]) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  // Axe is in no frame, so it need not look for any. The rules that are kept would be long to send.
  const readable = await page.evaluate(async (rules) => {
    const { violations } = await window.axe.run(document, {
      resultTypes: ['violations'],
      iframes: false,
      ...(rules.length > 0 && { runOnly: rules }),
    })
    return violations.map(({ id, help, nodes }) => ({
      rule: `${id}: ${help}`,
      where: nodes.map((node) => node.target.join(' ')),
    }))
  }, onlyRules)
  expect(readable, 'accessibility').toEqual([])
}

/**
 * Fails if the current page breaks an accessibility rule, scrolls in both directions, or, on a phone, lacks
 * contrast in dark mode.
 */
export async function expectWellMade(page: Page) {
  await expectAccessible(page)
  await expectNoSideways(page)
  // Dark mode changes colours, which are the same at every size.
  if ((page.viewportSize()?.width ?? 0) < DESKTOP_PX) await expectReadableInDark(page)
}

/** Fails if the current page lacks contrast in dark mode. Resets the colour scheme to light. */
export async function expectReadableInDark(page: Page) {
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page, 'color-contrast')
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Doubles the letters, like a reader's setting of the browser does. */
export function doubleLetters(page: Page): Promise<void> {
  return page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
}

export async function expectNoSideways(page: Page): Promise<void> {
  // A phone's window reports the width of overflowing content, because users can zoom out.
  const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  expect(await page.evaluate(overflow), 'sideways scrolling').toBeLessThanOrEqual(0)
}
