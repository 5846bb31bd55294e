/** The only module that uses lucia, which is deprecated upstream (docs/decisions). */

import { type Adapter, type DatabaseSession, Lucia, TimeSpan } from 'lucia'
import { noteActive } from '#db/accounts/active-days.ts'
import { noteProgram } from '#db/accounts/known-programs.ts'
import { fromFlag, toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import type { Notify } from '#db/outbox.ts'
import { listHeldShares } from '#db/people/held-shares.ts'
import { type AccountNow, accountNow } from '#db/plans/plan-now.ts'
import type { Account, Instant, Tables } from '#db/schema.ts'
import { hashToken, randomToken } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { LONGEST_SESSION_DAYS } from '#domain/accounts/session.ts'
import { DomainError } from '#domain/error.ts'
import type { HeldShare } from '#domain/people/share.ts'
import type { DeviceKind } from '#domain/scans/scan.ts'
import { DEFAULT_TIMEZONE, toDayIn } from '#domain/time.ts'

/** An unused session ends after this. */
const IDLE_DAYS = 30
const NOTE_USE_EVERY_MS = 3_600_000
const DAY_MS = 86_400_000
const JUST_NOW_MS = 60_000
/** The newest sessions of an account that are kept. */
export const MOST_SESSIONS = 20

/** The account with its present plan, and the shares of other owners. */
export type Session = {
  id: string
  account: AccountNow & { shares: HeldShare[] }
  provenAt: Instant
}
export type NewSession = { sessionId: string; cookieToken: string; bearerToken: string }
/** An account as it was when its password or code was checked. */
type Proven = Pick<Account, 'id' | 'password_hash'>
/** Uses up the credential that opens a session once, such as the answer of a passkey. Throws unauthenticated. */
export type Use = (trx: Trx) => Promise<void>
/** `notify` alerts of a device that the account was not used on before. */
export type SignIn = {
  use?: Use | undefined
  notify?: Notify<{ accountId: string }> | undefined
  /** of the program that signs in, if it is one that keeps no cookie */
  programHash?: string | undefined
  /** what the account's list of sessions says about it */
  device?: DeviceKind | undefined
  browser?: string | null | undefined
}
export type Sessions = ReturnType<typeof createSessions>

type Attributes = Omit<Tables['sessions'], 'id' | 'account_id' | 'expires_at'>

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<Attributes, { account: Account; has_shares: boolean }>
    DatabaseSessionAttributes: Attributes
    DatabaseUserAttributes: { account: Account; has_shares: boolean }
  }
}

/**
 * Sessions of browsers and API callers. Cookie and bearer token are two secrets of one row, and
 * only their SHA-256 is stored. Neither works as the other, and a copy of the database contains
 * neither.
 */
export function createSessions(db: Db, clock: () => Date, timezone = DEFAULT_TIMEZONE) {
  const luciaOn = (adapter: Adapter) =>
    new Lucia(adapter, {
      sessionExpiresIn: new TimeSpan(IDLE_DAYS, 'd'),
      getSessionAttributes: (attributes) => attributes,
      getUserAttributes: (attributes) => attributes,
    })
  const write: Write = (work) => inTransaction(db, work)
  const byCookie = luciaOn(luciaAdapter({ db, write, secret: 'id' }, clock))
  const byBearer = luciaOn(luciaAdapter({ db, write, secret: 'bearer_hash' }, clock))

  /**
   * Throws unauthenticated when the account was blocked, or its password changed, since it was
   * read. `notify` is not called for a program that the account was used with before (`programHash`), for
   * the first session of a new account, nor for one that was just told that its address is verified.
   */
  async function start(
    account: Proven,
    { use, notify, programHash, device = 'other', browser = null }: SignIn = {},
  ): Promise<NewSession> {
    const cookieToken = randomToken()
    const bearerToken = randomToken()
    const now = toInstant(clock())
    const times = { created_at: now, last_used_at: now, proven_at: now }
    const attributes = { bearer_hash: hashToken(bearerToken), ...times, device, browser }
    const sessionId = hashToken(cookieToken)
    return inTransaction(db, async (trx) => {
      await use?.(trx)
      if (!(await isCurrent(trx, account))) throw wrongCredentials()
      const isKnown = programHash && (await noteProgram(trx, account.id, programHash, clock()))
      const isExpected = isKnown || (await isNew(trx, account.id, clock()))
      if (!isExpected) await notify?.(trx, { accountId: account.id })
      const adapter = luciaAdapter({ db: trx, write: (work) => work(trx), secret: 'id' }, clock)
      await luciaOn(adapter).createSession(account.id, attributes, { sessionId })
      await noteActive(trx, account.id, clock(), timezone)
      return { sessionId, cookieToken, bearerToken }
    })
  }

  async function find(lucia: typeof byCookie, token: string): Promise<Session | undefined> {
    const { session, user } = await lucia.validateSession(hashToken(token))
    if (!session) return undefined
    const { id } = session
    const now = clock()
    const tooOld = now.getTime() - Date.parse(session.created_at) > LONGEST_SESSION_DAYS * DAY_MS
    if (tooOld || !fromFlag(user.account.is_active)) {
      await lucia.invalidateSession(id)
      return undefined
    }
    const lastUse = new Date(session.last_used_at)
    const isSameDay = toDayIn(timezone, lastUse) === toDayIn(timezone, now)
    if (!isSameDay || now.getTime() - lastUse.getTime() > NOTE_USE_EVERY_MS) {
      await noteUse(id, user.account, now)
    }
    const shares = user.has_shares ? await listHeldShares(db, user.account.id, now) : []
    const account = { ...accountNow(user.account, now), shares }
    return { id, account, provenAt: session.proven_at }
  }

  async function noteUse(sessionId: string, { id }: Account, now: Date): Promise<void> {
    await inTransaction(db, async (trx) => {
      const used = { last_used_at: toInstant(now) }
      await trx.updateTable('sessions').set(used).where('id', '=', sessionId).execute()
      await noteActive(trx, id, now, timezone)
    })
  }

  return {
    start,
    findByBearer: (token: string) => find(byBearer, token),
    findByCookie: (token: string) => find(byCookie, token),
    end: (sessionId: string) => byCookie.invalidateSession(sessionId),
  }
}

type Write = (work: (trx: Trx) => Promise<void>) => Promise<void>
/** `secret` is the column with the hash by which a session is found. */
type Access = { db: DbOrTrx; write: Write; secret: 'id' | 'bearer_hash' }

function luciaAdapter({ db, write, secret }: Access, clock: () => Date): Adapter {
  return {
    async getSessionAndUser(hash) {
      const found = await db
        .selectFrom('sessions')
        .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
        .selectAll('accounts')
        .select(['sessions.id as session_id', 'bearer_hash', 'last_used_at', 'expires_at'])
        .select(['device', 'browser', 'proven_at'])
        .select('sessions.created_at as begun_at')
        .select(({ exists, selectFrom }) =>
          exists(
            selectFrom('shares')
              .select('shares.id')
              .whereRef('shares.person_id', '=', 'accounts.id'),
          ).as('has_shares'),
        )
        .where(`sessions.${secret}`, '=', hash)
        .executeTakeFirst()
      if (!found) return [null, null]
      const { session_id, begun_at, bearer_hash, last_used_at, expires_at, ...rest } = found
      const { device, browser, proven_at, has_shares, ...account } = rest
      const times = { created_at: begun_at, last_used_at, expires_at, proven_at }
      const row = { id: session_id, account_id: account.id, bearer_hash, ...times, device, browser }
      return [
        toLucia(row),
        { id: account.id, attributes: { account, has_shares: Boolean(has_shares) } },
      ]
    },
    async getUserSessions(accountId) {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('account_id', '=', accountId)
        .execute()
      return rows.map(toLucia)
    },
    async setSession({ id, userId, expiresAt, attributes }) {
      const row = { id, account_id: userId, expires_at: toInstant(expiresAt), ...attributes }
      await write(async (trx) => {
        await trx.insertInto('sessions').values(row).execute()
        await endOldSessions(trx, row)
      })
    },
    async updateSessionExpiration(sessionId, expiresAt) {
      const later = { expires_at: toInstant(expiresAt) }
      await write(async (trx) => {
        await trx.updateTable('sessions').set(later).where('id', '=', sessionId).execute()
      })
    },
    async deleteSession(sessionId) {
      await write(async (trx) => {
        await trx.deleteFrom('sessions').where('id', '=', sessionId).execute()
      })
    },
    async deleteUserSessions(accountId) {
      await write(async (trx) => {
        await trx.deleteFrom('sessions').where('account_id', '=', accountId).execute()
      })
    },
    async deleteExpiredSessions() {
      const now = toInstant(clock())
      await write(async (trx) => {
        await trx.deleteFrom('sessions').where('expires_at', '<=', now).execute()
      })
    },
  }
}

async function isCurrent(trx: DbOrTrx, { id, password_hash }: Proven): Promise<boolean> {
  const account = await trx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', 'is not distinct from', password_hash)
    .where('is_active', '=', toFlag(true))
    .executeTakeFirst()
  return account !== undefined
}

/** Checks whether the account was never signed in to since it was created today, or was verified just now. */
async function isNew(trx: DbOrTrx, accountId: string, now: Date): Promise<boolean> {
  const account = await trx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where(({ eb, or, and, not, exists, selectFrom }) =>
      or([
        eb('email_verified_at', '>', toInstant(new Date(now.getTime() - JUST_NOW_MS))),
        and([
          eb('created_at', '>', toInstant(new Date(now.getTime() - DAY_MS))),
          not(exists(selectFrom('active_days').select('day').where('account_id', '=', accountId))),
        ]),
      ]),
    )
    .executeTakeFirst()
  return account !== undefined
}

export function wrongCredentials(): DomainError {
  return new DomainError('unauthenticated.wrong_pair')
}

type SessionRow = { id: string; account_id: string }

async function endOldSessions(trx: DbOrTrx, { id, account_id }: SessionRow): Promise<void> {
  await trx
    .deleteFrom('sessions')
    .where('account_id', '=', account_id)
    .where('id', 'not in', ({ selectFrom }) =>
      selectFrom('sessions')
        .select('id')
        .where('account_id', '=', account_id)
        // Keeps the new session among those of the same millisecond.
        .orderBy(({ eb }) => eb('id', '=', id), 'desc')
        .orderBy('created_at', 'desc')
        .limit(MOST_SESSIONS),
    )
    .execute()
}

function toLucia({ id, account_id, expires_at, ...attributes }: Tables['sessions']) {
  return {
    id,
    userId: account_id,
    expiresAt: new Date(expires_at),
    attributes,
  } satisfies DatabaseSession
}

/** Asked for at once. */
const MANY = 500

/** Returns which of these sessions have not ended, nor been blocked with their account. */
export async function listLiveSessions(
  db: DbOrTrx,
  ids: string[],
  now: Date,
): Promise<Set<string>> {
  const live = new Set<string>()
  for (let from = 0; from < ids.length; from += MANY) {
    const rows = await db
      .selectFrom('sessions')
      .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
      .select('sessions.id')
      .where('sessions.id', 'in', ids.slice(from, from + MANY))
      .where('expires_at', '>', toInstant(now))
      .where('is_active', '=', toFlag(true))
      .execute()
    for (const { id } of rows) live.add(id)
  }
  return live
}
