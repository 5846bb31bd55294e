import { test as base, expect, type Page } from '@playwright/test'
import axe from 'axe-core'
import { type Problems, watchForProblems } from '#tests/e2e/support/problems.ts'
import { type RunningServer, startServer } from '#tests/e2e/support/server.ts'

declare global {
  interface Window {
    axe: typeof axe
  }
}

type Fixtures = {
  /** Gives a test a server of its own, empty, with these settings (`{}`: none). */
  serverEnv: Record<string, string> | undefined
  /** The built product: the one that a worker's tests share, or the test's own. */
  server: RunningServer
  /** Any problem that the test does not expect fails it, whether it looks here or not. */
  problems: Problems
}

type WorkerFixtures = {
  sharedServer: RunningServer
}

/** As an owner of a service would set it; the tests share one address, so no request is counted. */
const SHARED_SETTINGS = {
  RATE_LIMITS: 'off',
  UPI_ID: 'driveqr@examplebank',
  BANK_ACCOUNT_NUMBER: '001234567890',
  BANK_IFSC: 'EXMP0001234',
  SUPPORT_EMAIL: 'pay@example.in',
}

async function runServer(
  env: Record<string, string>,
  use: (server: RunningServer) => Promise<void>,
): Promise<void> {
  const server = await startServer(env)
  await use(server)
  await server.stop()
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  serverEnv: [undefined, { option: true }],
  sharedServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from here
    async ({}, use) => runServer(SHARED_SETTINGS, use),
    { scope: 'worker' },
  ],
  server: async ({ serverEnv, sharedServer }, use) => {
    if (serverEnv) await runServer(serverEnv, use)
    else await use(sharedServer)
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

/** Fails with axe's own explanations when the page as it stands breaks an accessibility rule. */
export async function expectAccessible(page: Page, ...onlyRules: string[]) {
  // Half a megabyte of script: once for a page, however often it is asked.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    (rules) =>
      window.axe.run(document, {
        resultTypes: ['violations'],
        ...(rules.length > 0 && { runOnly: rules }),
      }),
    onlyRules,
  )
  const readable = violations.map(({ id, help, nodes }) => ({
    rule: `${id}: ${help}`,
    where: nodes.map((node) => node.target.join(' ')),
  }))
  expect(readable, 'accessibility').toEqual([])
}

/**
 * The page as it stands keeps every accessibility rule, scrolls in one direction only, and can be
 * read by night too. Leaves the colours as they were by day.
 */
export async function expectWellMade(page: Page) {
  await expectAccessible(page)
  await expectNoSideways(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page, 'color-contrast')
  await page.emulateMedia({ colorScheme: 'light' })
}

export async function expectNoSideways(page: Page): Promise<void> {
  // A phone's window says that it is as wide as what overflows it, for one can zoom out.
  const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  expect(await page.evaluate(overflow), 'sideways scrolling').toBeLessThanOrEqual(0)
}
