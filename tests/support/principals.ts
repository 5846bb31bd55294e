import { insertAccount } from '#db/accounts/accounts.ts'
import { createApiKey } from '#db/accounts/api-keys.ts'
import type { Account } from '#db/schema.ts'
import { SCOPES } from '#domain/accounts/api-key.ts'
import type { TestApp } from '#tests/support/app.ts'
import { newCaller } from '#tests/support/callers.ts'
import { callOn, type Sent } from '#tests/support/calls.ts'
import { newEmail, thingsOf } from '#tests/support/things.ts'

/** The kinds of callers. Each owns the things that it requests, where possible. */
export const PRINCIPALS = {
  anonymous: {},
  client: {},
  premium: { role: 'premium', subscription_plan: 'premium' },
  enterprise: { subscription_plan: 'enterprise' },
  moderator: { role: 'moderator' },
  admin: { role: 'admin' },
  super_admin: { role: 'super_admin' },
  blocked: { subscription_plan: 'enterprise' },
  expired: { subscription_plan: 'enterprise' },
  'API key': { subscription_plan: 'enterprise' },
} as const satisfies Record<string, Partial<Pick<Account, 'role' | 'subscription_plan'>>>

export type Principal = keyof typeof PRINCIPALS

export async function newAccount({ db, deps }: TestApp, who: Principal): Promise<Account> {
  const email_verified_at = deps.clock().toISOString()
  const someone = { name: 'Asha Patil', email: newEmail(), email_verified_at, password_hash: null }
  return insertAccount(db, { ...someone, ...PRINCIPALS[who] }, deps.clock())
}

/** The headers of a principal, with a new session, because a call may end it. */
export async function identify(
  { db, deps }: TestApp,
  who: Principal,
  account: Account,
  path: string,
): Promise<Record<string, string>> {
  if (who === 'anonymous') return {}
  const { id } = account
  if (who === 'API key') {
    const { key } = await createApiKey(
      db,
      await newCaller({ deps }, id),
      'Key',
      deps.clock(),
      async () => {},
      { scopes: [...SCOPES] },
    )
    return { Authorization: `Bearer ${key}` }
  }
  const { cookieToken, bearerToken } = await deps.sessions.start(account)
  if (who === 'blocked') {
    await db.updateTable('accounts').set({ is_active: 0 }).where('id', '=', id).execute()
  }
  if (who === 'expired') {
    const past = { expires_at: '2020-01-01T00:00:00.000Z' }
    await db.updateTable('sessions').set(past).where('account_id', '=', id).execute()
  }
  return path.startsWith('/api/')
    ? { Authorization: `Bearer ${bearerToken}` }
    : { Cookie: `driveqr=${cookieToken}`, 'Sec-Fetch-Site': 'same-origin' }
}

export function send(app: TestApp, sent: Sent, headers: Record<string, string>) {
  const { method, path, json, form, body } = sent
  if (!form) return app.ask(method, path, { json, body, headers })
  const encoded = new URLSearchParams(form as Record<string, string>).toString()
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
  return app.ask(method, path, { body: encoded, headers: { ...headers, ...type } })
}

/** The headers of a bearer token. */
export async function identifyByBearer(
  { deps }: TestApp,
  _who: Principal,
  account: Account,
): Promise<Record<string, string>> {
  const { bearerToken } = await deps.sessions.start(account)
  return { Authorization: `Bearer ${bearerToken}` }
}

/** The answer to a principal: status and redirect target. */
export async function answerTo(
  app: TestApp,
  who: Principal,
  call: string,
  by: typeof identify = identify,
): Promise<string> {
  const account = await newAccount(app, who)
  const sent = await callOn(thingsOf(app, account), call)
  const headers = await by(app, who, account, sent.path)
  const answer = await send(app, sent, headers)
  await endOf(answer)
  return placeOf(answer)
}

/** Returns the status of an answer, with the target of a redirect. */
export function placeOf(answer: Response): string {
  const location = answer.headers.get('Location')
  if (!location) return String(answer.status)
  const { pathname } = new URL(location, 'http://localhost')
  const place = pathname
    .replace(/(?<=^\/c\/|\/webhooks\/|\/settings\/support\/)[\w-]+/, '…')
    .replace(/[0-9A-Z]{12}(?=$|\/)/, '…')
  return `${answer.status} ${place}`
}

/** Reads an answer to its end, or leaves one that has none. */
export async function endOf(answer: Response): Promise<void> {
  const isStream = answer.headers.get('Content-Type') === 'text/event-stream'
  await (isStream ? answer.body?.cancel() : answer.arrayBuffer())
}
