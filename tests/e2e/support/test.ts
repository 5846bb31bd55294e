import { AxeBuilder } from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'
import { type Problems, watchForProblems } from '#tests/e2e/support/problems.ts'
import { type RunningServer, startServer } from '#tests/e2e/support/server.ts'

type Fixtures = {
  /** Settings for this test's server: `test.use({ serverEnv: { NODE_ENV: 'production' } })`. */
  serverEnv: Record<string, string>
  /** The built product, started for this test alone, with nothing in it. */
  server: RunningServer
  /** Any problem that the test does not expect fails it, whether it looks here or not. */
  problems: Problems
}

export const test = base.extend<Fixtures>({
  serverEnv: [{}, { option: true }],
  server: async ({ serverEnv }, use) => {
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

/** Fails with axe's own explanations when the page as it stands breaks an accessibility rule. */
export async function expectAccessible(page: Page) {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const readable = violations.map(({ id, help, nodes }) => ({
    rule: `${id}: ${help}`,
    where: nodes.map((node) => node.target.join(' ')),
  }))
  expect(readable, 'accessibility').toEqual([])
}
