import type { DbOrTrx } from '#db/client.ts'
import { DomainError } from '#domain/error.ts'

/** What a request was let in by; both kinds end when a password is set. */
export type Credential = { kind: 'session' | 'api key'; id: string }
/** The account that a request acts for, and by what. */
export type Caller = { accountId: string; credential: Credential }

/**
 * For what outlives the request: a body may take minutes to arrive, and what let the request in may
 * have ended since. Throws unauthenticated.
 */
export async function assertLiveCaller(
  trx: DbOrTrx,
  { accountId, credential: { kind, id } }: Caller,
): Promise<void> {
  const live = await trx
    .selectFrom(kind === 'session' ? 'sessions' : 'api_keys')
    .select('id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!live) throw new DomainError('unauthenticated', 'Not authenticated')
}
