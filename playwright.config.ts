import { defineConfig } from '@playwright/test'
import { QUICK } from './tests/e2e/support/chromium.ts'

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '*.spec.ts',
  // Node reads TypeScript itself. Babel took as long as forty tests.
  build: { external: process.features.typescript ? ['**/*.ts', '**/*.mjs'] : [] },
  globalSetup: './tests/support/folders.ts',
  outputDir: 'test-results/browser',
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  // The second try records a trace. Whichever test needed it is named at the end of `npm test`.
  retries: 1,
  // Passing tests take less; a machine with other work is late at times.
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
        hasTouch: true,
        isMobile: true,
      },
    },
    // Titles with `@both` name tests of the layout and of the scripts that `tests/house/habits.ts` lets read the
    // screen. All other behaviour is the same at every size.
    { name: 'desktop', grep: /@both/, use: { viewport: { width: 1280, height: 800 } } },
  ],
})
