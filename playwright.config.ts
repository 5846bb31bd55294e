import { defineConfig } from '@playwright/test'
import { QUICK } from './tests/e2e/support/chromium.ts'

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '*.spec.ts',
  globalSetup: './tests/support/folders.ts',
  outputDir: 'test-results/browser',
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  // The second try records a trace. Whichever test needed it is named at the end of `npm test`.
  retries: 1,
  // What passes takes none of this; a machine with other work is late at times.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
    trace: 'on-first-retry',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: QUICK,
  },
  projects: [
    {
      name: 'phone',
      use: {
        viewport: { width: 390, height: 844 },
        deviceScaleFactor: 2,
        hasTouch: true,
        isMobile: true,
      },
    },
    // What looks or works differently where there is room says so in its title: the layout of each page,
    // its main flow once, and the scripts that look at the screen. `tests/house/habits.ts` names them.
    // All else is the same at every size: refusals, lost connections, other windows, downloads, what is
    // copied, what needs no script.
    { name: 'desktop', grep: /@both/, use: { viewport: { width: 1280, height: 800 } } },
  ],
})
