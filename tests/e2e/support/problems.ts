import type { BrowserContext } from '@playwright/test'

declare global {
  interface Window {
    reportCspViolation(text: string): Promise<void>
  }
}

/** What went wrong in the browser: console errors, uncaught errors, broken content policy. */
export type Problems = {
  /**
   * Says that problems like this one belong to the test (a 404 that it asks for logs an error).
   * A test that expects one which never comes fails too.
   */
  expect(pattern: RegExp): void
  /** What a reader of the test must know: problems nobody expected, expectations nothing met. */
  report(): string[]
}

/** Listens to every page of the context, popups included. */
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
