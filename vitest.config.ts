import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Tests that change their process or kill others. */
const ALONE = [
  'tests/{storage,formats,backup,cli}/**/*.test.ts',
  // These read pictures with sharp, in which the product disables most formats.
  'tests/http/**/{document-uploads,popup-images,qr-download,qr-zip}.test.ts',
  'tests/http/**/{sockets,upload-sockets}.test.ts',
  // Delays flushes to the disk.
  'tests/db/scans/scan-path.test.ts',
]

/** Tests whose outcome does not depend on the database. */
const WITHOUT_DATABASE = [
  'tests/db/{client,secrets,migrations,engines/lost,scans/scan-path}.test.ts',
  'tests/http/{html,sockets,local-request,client-address,readable-log,greeting,well-known,pieces}.test.ts',
  'tests/http/{api-docs,api-guide,openapi,described,generated-client,appearance}.test.ts',
  'tests/http/**/{scan-size,scan-template,finder-size}.test.{ts,tsx}',
  'tests/http/{brands/print,conversations/sockets,languages/one-language}.test.ts',
]
/**
 * Permissions, rate limits, looks, forms and processes whose statements other tests send too. A run of both engines
 * has them on SQLite alone; `authorisation-pages` opens every page on both.
 */
const ON_EITHER = [
  'tests/http/{rate-limits,heads,settings,authorisation-calls,cross-site}.test.ts',
  'tests/http/accounts/{confirm,lockout,login-page,auth-malformed}.test.ts',
  'tests/http/accounts/{passkey-fuzz,passkey-attestation,known-device-guesses}.test.ts',
  'tests/http/alerts/{scan-process,telegram-process,channel-forms,notifications-page}.test.ts',
  'tests/http/brands/{no-trace,brand-pages,white-label,child-users}.test.ts',
  'tests/http/codes/{qr-labels,label-dialogs,finder-choice,claim-page,qr-download,qr-zip}.test.ts',
  'tests/http/languages/{mails,choice,errors}.test.ts',
  'tests/http/papers/{document-uploads,dashboard-popup-images,upload-sockets}.test.ts',
  'tests/http/plans/{receipts,admin-money-pages,dashboard-upgrade,plan-list}.test.ts',
  'tests/http/{scans/hidden-contact,conversations/conversation-page}.test.ts',
  'tests/http/{tickets/ticket-pages,transfers/pages}.test.ts',
]
/** Tests that store, send and delete files. They run with files on S3 too, on SQLite alone. */
const WITH_FILES = ['tests/http/papers/{files,documents,popup-images}.test.ts']
const isOnS3 = process.env.DRIVEQR_TEST_STORAGE === 's3'

const isOnPostgres = process.env.DRIVEQR_TEST_ENGINE === 'postgres'
const isBesideSqlite = process.env.DRIVEQR_TEST_ENGINES === 'both'

/** Selects React's production build, because the development build takes several times as long for a page. */
const PRODUCTION = { NODE_ENV: 'production' }

/** A hash of a password takes longer than most of the tests that make an account. */
const QUICK_ARGON2ID = fileURLToPath(new URL('./tests/support/quick-argon2id.ts', import.meta.url))

export default defineConfig({
  oxc: { jsx: { development: false } },
  test: {
    environment: 'node',
    tags: [{ name: 'slow', description: 'Runs with `npm test -- --all` alone: takes over 1 s.' }],
    globalSetup: './tests/support/folders.ts',
    // One more than cores, because tests of servers and connections wait half of their time.
    maxWorkers: availableParallelism() + 1,
    // Each test leaves an application behind. A smaller young generation copies live objects again and again.
    execArgv: ['--max-semi-space-size=64'],
    // Long, because a busy machine is late at times.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    allowOnly: false,
    ...(isOnPostgres && { exclude: [...WITHOUT_DATABASE, ...(isBesideSqlite ? ON_EITHER : [])] }),
    expect: { poll: { timeout: 15_000, interval: 20 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          include: ALONE,
        },
      },
      {
        extends: true,
        test: {
          // Loading the product again took most of a file's time.
          name: 'together',
          include: ['tests/{rules,db,http,components,mail,house}/**/*.test.{ts,tsx}'],
          exclude: ALONE,
          isolate: false,
          env: PRODUCTION,
          alias: { 'oslo/password': QUICK_ARGON2ID },
        },
      },
      ...(isOnS3 || isOnPostgres
        ? []
        : [
            {
              extends: true as const,
              test: {
                name: 'on S3',
                include: WITH_FILES,
                env: { ...PRODUCTION, DRIVEQR_TEST_STORAGE: 's3' },
              },
            },
          ]),
    ],
  },
})
