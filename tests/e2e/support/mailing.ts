import { test as base } from '#tests/e2e/support/test.ts'

/** Tests whose server sends mails, which they can read. */
export const test = base.extend({
  sharedEnv: async ({ mailbox }, use) =>
    use({ SMTP_URL: mailbox.url, UPI_ID: 'driveqr@examplebank', RATE_LIMITS: 'off' }),
})
