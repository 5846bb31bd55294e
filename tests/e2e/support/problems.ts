import type { BrowserContext } from '@playwright/test'

declare global {
  interface Window {
    reportCspViolation(text: string): Promise<void>
  }
}

/** Problems in the browser: console errors, uncaught errors, violations of the content policy. */
export type Problems = {
  /**
   * Expects a problem, for example the console error of a requested 404. The test fails if it does
   * not occur.
   */
  expect(pattern: RegExp): void
  /** The problems that were not expected, and the expected ones that did not occur. */
  report(): string[]
}

/** Listens to all pages of the context, including popups. */
export async function watchForProblems(context: BrowserContext): Promise<Problems> {
  const seen: string[] = []
  const expected: RegExp[] = []
  context.on('console', (message) => {
    if (message.type() === 'error') seen.push(`console: ${message.text()}`)
  })
  context.on('weberror', (error) => seen.push(`page error: ${error.error().message}`))
  await context.exposeFunction('reportCspViolation', (text: string) => seen.push(`CSP: ${text}`))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      window.reportCspViolation(`${event.effectiveDirective} blocked ${event.blockedURI}`)
    })
  })
  return {
    expect: (pattern) => expected.push(pattern),
    report: () => [
      ...seen.filter((text) => !expected.some((pattern) => pattern.test(text))),
      ...expected
        .filter((pattern) => !seen.some((text) => pattern.test(text)))
        .map((pattern) => `expected but never seen: ${pattern}`),
    ],
  }
}
