import { assertLiveCaller, type Credential } from '#db/accounts/credentials.ts'
import { connect, listTargets } from '#db/alerts/channels.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import { hashToken, randomToken, type SecretKey } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { TELEGRAM_CODE_SECONDS } from '#domain/alerts/alert.ts'

/**
 * Makes a code by which a chat is connected to an account: once, within 10 minutes. It replaces an earlier one.
 * Throws unauthenticated when the session that asked for it has ended.
 */
export async function makeTelegramCode(
  db: Db,
  accountId: string,
  now: Date,
  credential?: Credential,
): Promise<string> {
  const code = randomToken()
  const row = {
    code_hash: hashToken(code),
    expires_at: toInstant(secondsAfter(now, TELEGRAM_CODE_SECONDS)),
  }
  await inTransaction(db, async (trx) => {
    if (credential) await assertLiveCaller(trx, { accountId, credential })
    await trx
      .insertInto('telegram_codes')
      .values({ ...row, account_id: accountId })
      .onConflict((each) => each.column('account_id').doUpdateSet(row))
      .execute()
  })
  return code
}

/** A chat with the bot; `name` is shown in the settings. */
export type Chat = { id: number; name: string }

/**
 * Connects a chat to the account of a code, which is used up. Undefined for a code that is unknown, used
 * or too old, and for a blocked account. Throws conflict for an account with too many channels.
 */
export async function redeemTelegramCode(
  db: Db,
  key: SecretKey,
  { code, chat }: { code: string; chat: Chat },
  now: Date,
): Promise<{ accountId: string } | undefined> {
  const code_hash = hashToken(code)
  return inTransaction(db, async (trx) => {
    const used = await trx
      .deleteFrom('telegram_codes')
      .where('code_hash', '=', code_hash)
      .where('expires_at', '>', toInstant(now))
      .where('account_id', 'in', ({ selectFrom }) =>
        selectFrom('accounts').select('id').where('is_active', '=', 1),
      )
      .returning('account_id')
      .executeTakeFirst()
    if (!used) return undefined
    const accountId = used.account_id
    const address = String(chat.id)
    const channel = {
      kind: 'telegram',
      name: chat.name,
      address,
      target: { chat_id: chat.id, code_hash },
    } as const
    await connect(trx, key, accountId, channel, now)
    return { accountId }
  })
}

/** Returns whether a chat was connected by this code, which is used up then, and still is. */
export async function isConnectedBy(
  db: DbOrTrx,
  key: SecretKey,
  { code, chat }: { code: string; chat: Chat },
): Promise<boolean> {
  const code_hash = hashToken(code)
  const targets = await listTargets(db, key, { kind: 'telegram', address: String(chat.id) })
  return targets.some((target) => 'code_hash' in target && target.code_hash === code_hash)
}
