import { type Caller, inTransactionOf } from '#db/accounts/credentials.ts'
import { secondsAfter, toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { Notify } from '#db/outbox.ts'
import { type AccountNow, accountNow } from '#db/plans/plan-now.ts'
import type { RowOf } from '#db/schema.ts'
import { hashToken, randomId, randomToken } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { KEY_PREFIX, type KeyScopes, MOST_KEYS, SCOPES } from '#domain/accounts/api-key.ts'
import { DomainError } from '#domain/error.ts'

export type ApiKey = Omit<Row, 'scopes'> & { scopes: KeyScopes }
type Row = Omit<RowOf<'api_keys'>, 'account_id' | 'key_hash'>

/** The last use is recorded at most this often, so that most calls do not write. */
const NOTE_USE_EVERY_SECONDS = 3600

/**
 * Creates a key. Only this answer contains its secret. One with the `formed` id of the same form takes the
 * place of the earlier one, whose answer was lost, unless that was used. Throws conflict when the account has too
 * many, and unauthenticated when the caller's session or key has ended.
 */
export async function createApiKey(
  db: Db,
  caller: Caller,
  name: string,
  now: Date,
  notify: Notify<ApiKey>,
  { formed, scopes = null }: { formed?: string | undefined; scopes?: KeyScopes } = {},
): Promise<ApiKey & { key: string }> {
  const { accountId } = caller
  const key = KEY_PREFIX + randomToken()
  const fresh = { id: randomId(), name, created_at: toInstant(now), last_used_at: null, scopes }
  return inTransactionOf(db, caller, async (trx) => {
    const earlier = formed && (await findOwn(trx, accountId, formed))
    const wasLost = earlier && earlier.last_used_at === null
    const made = { ...fresh, ...(formed && (!earlier || wasLost) && { id: formed }) }
    if (wasLost) await trx.deleteFrom('api_keys').where('id', '=', formed).execute()
    if ((await listApiKeys(trx, accountId)).length >= MOST_KEYS) {
      throw new DomainError({ code: 'conflict.too_many_keys', values: { most: MOST_KEYS } })
    }
    const written = { ...made, scopes: scopes?.join(' ') ?? null }
    const row = { ...written, account_id: accountId, key_hash: hashToken(key) }
    await trx.insertInto('api_keys').values(row).execute()
    if (!wasLost) await notify(trx, made)
    return { ...made, key }
  })
}

/** Returns the keys of an account, newest first. */
export async function listApiKeys(db: DbOrTrx, accountId: string): Promise<ApiKey[]> {
  const rows = await ownKeys(db, accountId).orderBy('created_at', 'desc').orderBy('id').execute()
  return rows.map(toApiKey)
}

/** Throws not_found. */
export async function getApiKey(db: DbOrTrx, accountId: string, id: string): Promise<ApiKey> {
  const key = await findOwn(db, accountId, id)
  if (!key) throw keyNotFound()
  return key
}

async function findOwn(db: DbOrTrx, accountId: string, id: string): Promise<ApiKey | undefined> {
  const row = await ownKeys(db, accountId).where('id', '=', id).executeTakeFirst()
  return row && toApiKey(row)
}

function toApiKey(row: Row): ApiKey {
  return { ...row, scopes: readScopes(row.scopes) }
}

function readScopes(written: string | null): KeyScopes {
  if (written === null) return null
  const held = written.split(' ')
  return SCOPES.filter((scope) => held.includes(scope))
}

function ownKeys(db: DbOrTrx, accountId: string) {
  const columns = ['id', 'name', 'created_at', 'last_used_at', 'scopes'] as const
  return db.selectFrom('api_keys').select(columns).where('account_id', '=', accountId)
}

/** Revokes a key of the account. Throws not_found. */
export async function revokeApiKey(db: Db, accountId: string, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('api_keys')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw keyNotFound()
  })
}

function keyNotFound(): DomainError {
  return new DomainError('not_found.api_key')
}

/** Returns the account of a key, with its plan now, the key's id and its scopes; undefined when the key is not valid. */
export async function findByApiKey(
  db: Db,
  key: string,
  now: Date,
): Promise<{ id: string; scopes: KeyScopes; account: AccountNow } | undefined> {
  const found = await db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .selectAll('accounts')
    .select(['api_keys.id as key_id', 'last_used_at', 'scopes'])
    .where('key_hash', '=', hashToken(key))
    .where('is_active', '=', toFlag(true))
    .executeTakeFirst()
  if (!found) return undefined
  const { key_id: id, last_used_at, scopes, ...account } = found
  const due = toInstant(secondsAfter(now, -NOTE_USE_EVERY_SECONDS))
  if (!last_used_at || last_used_at <= due) await noteUse(db, id, now)
  return { id, scopes: readScopes(scopes), account: accountNow(account, now) }
}

async function noteUse(db: Db, id: string, now: Date): Promise<void> {
  await inTransaction(db, async (trx) => {
    const used = { last_used_at: toInstant(now) }
    await trx.updateTable('api_keys').set(used).where('id', '=', id).execute()
  })
}
