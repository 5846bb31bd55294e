import type { BrowserContext } from '@playwright/test'
import { insertAccount, type NewAccount } from '#db/accounts/accounts.ts'
import { createSessions } from '#db/accounts/sessions.ts'
import type { Db } from '#db/client.ts'
import type { Account, QrCode } from '#db/schema.ts'
import { freshEmail } from '#tests/e2e/support/fresh.ts'
import { openDatabaseOf, type RunningServer } from '#tests/e2e/support/server.ts'
import { insertCode } from '#tests/support/codes.ts'

/** One word, wider than any screen. */
export const LONG_NAME = 'Venkatanarasimharajuvaripeta'.repeat(4)

export type Owner = Pick<Account, 'id' | 'email'> & { codes: QrCode[] }

/**
 * Signs the browser in as a new account with these codes, the first one the newest. `more` adds
 * what else a test needs.
 */
export async function signIn(
  context: BrowserContext,
  server: RunningServer,
  account: Partial<NewAccount> = {},
  codes: Partial<QrCode>[] = [],
  more: (db: Db, owner: Owner) => Promise<unknown> = async () => {},
): Promise<Owner> {
  const { db, close } = await openDatabaseOf(server)
  const email_verified_at = new Date().toISOString()
  const someone = {
    name: 'Asha Patil',
    email: freshEmail(),
    email_verified_at,
    password_hash: null,
  }
  const row = await insertAccount(db, { ...someone, ...account }, new Date())
  const owner: Owner = { id: row.id, email: row.email, codes: [] }
  for (const [n, fields] of codes.entries()) {
    const created_at = new Date(Date.UTC(2026, 0, 31 - (n % 30), 0, 0, -n)).toISOString()
    owner.codes.push(await insertCode(db, row.id, { created_at, ...fields }))
  }
  await more(db, owner)
  const { cookieToken } = await createSessions(db, () => new Date()).start(row)
  await close()
  const cookie = { name: 'driveqr', value: cookieToken, httpOnly: true, sameSite: 'Lax' } as const
  await context.addCookies([{ ...cookie, url: server.url }])
  return owner
}

/** Ages the sessions of an account by an hour. */
export async function ageSessions(server: RunningServer, accountId: string): Promise<void> {
  const { db, close } = await openDatabaseOf(server)
  const proven_at = new Date(Date.now() - 3_600_000).toISOString()
  await db.updateTable('sessions').set({ proven_at }).where('account_id', '=', accountId).execute()
  await close()
}
