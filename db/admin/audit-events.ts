import { fromFlag, toInstant } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import { countRows } from '#db/pages.ts'
import type { Account, Instant } from '#db/schema.ts'
import { randomId } from '#db/secrets.ts'
import { isAdmin } from '#domain/accounts/roles.ts'
import type { RecordedAct } from '#domain/admin/act.ts'
import { DomainError } from '#domain/error.ts'
import { hasPlans } from '#domain/plans/offer.ts'

/** The actor of a command, where nobody is signed in. */
export const COMMAND_LINE = { actor_id: null, actor: 'command line' } as const

/** The actor when a temporary permission ends. */
export const EXPIRY = { actor_id: null, actor: 'expiry' } as const

export type Act = {
  actor_id: string | null
  actor: string
  action: string
  subject_type: string
  subject_id: string | null
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  /** the owner of the codes, when a person acts on shared ones */
  owner_id?: string
}

export type Actor = Pick<Act, 'actor_id' | 'actor'>

/** Returns an admin as actor. The name is stored, in case the account is deleted. */
export function actorOf({ id, name }: Account): Actor {
  return { actor_id: id, actor: name }
}

/** Records an act, and returns the id of its entry. Call it in the transaction of the act. */
export async function recordAct(
  db: DbOrTrx,
  { before, after, owner_id, ...act }: Act,
  now: Date,
): Promise<string> {
  const row = {
    id: randomId(),
    happened_at: toInstant(now),
    ...act,
    before: before ? JSON.stringify(before) : null,
    after: after ? JSON.stringify(after) : null,
    owner_id: owner_id ?? null,
  }
  await db.insertInto('audit_events').values(row).execute()
  return row.id
}

/** Notes the progress of an act that takes several transactions. Call it in each of them. */
export async function noteDone(trx: DbOrTrx, id: string, after: Act['after'] & {}): Promise<void> {
  await trx
    .updateTable('audit_events')
    .set({ after: JSON.stringify(after) })
    .where('id', '=', id)
    .execute()
}

/**
 * Records an act of an admin in the transaction of the act. The role is read again, because it may
 * have ended while the request's body arrived. Throws forbidden, which undoes the act.
 */
export async function recordAdminAct(trx: DbOrTrx, act: Act, now: Date): Promise<void> {
  if (act.actor_id !== null) await assertAdmin(trx, act.actor_id)
  await recordAct(trx, act, now)
}

async function assertAdmin(trx: DbOrTrx, accountId: string): Promise<void> {
  const account = await trx
    .selectFrom('accounts')
    .select(['role', 'is_active'])
    .where('id', '=', accountId)
    .executeTakeFirst()
  if (account && fromFlag(account.is_active) && isAdmin(account.role)) return
  throw new DomainError('forbidden.admins_only')
}

export type ListedAct = RecordedAct & { id: string; happened_at: Instant; subject_type: string }

const PLAN_SUBJECTS = ['promo_code', 'redemption', 'upgrade_request']

/** Selects the acts of admins; without plans only those that are not about plans. */
function selectActs(db: DbOrTrx) {
  return db
    .selectFrom('audit_events')
    .where('audit_events.owner_id', 'is', null)
    .$if(!hasPlans(), (acts) =>
      acts.where('subject_type', 'not in', PLAN_SUBJECTS).where('action', '<>', 'account.plan_set'),
    )
}

/** Returns a page of administrative acts, newest first, with the names of their subjects. */
export async function listActs(
  db: DbOrTrx,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ acts: ListedAct[]; total: number }> {
  const acts = await selectActs(db)
    .leftJoin('promo_redemptions', 'promo_redemptions.id', 'audit_events.subject_id')
    .leftJoin('upgrade_requests', 'upgrade_requests.id', 'audit_events.subject_id')
    .leftJoin('accounts', (join) =>
      join.on(({ eb, fn, ref }) =>
        eb(
          'accounts.id',
          '=',
          fn.coalesce(
            'promo_redemptions.account_id',
            'upgrade_requests.account_id',
            ref('audit_events.subject_id'),
          ),
        ),
      ),
    )
    .select(['audit_events.id', 'happened_at', 'subject_type', 'action', 'actor'])
    .leftJoin('promo_codes', 'promo_codes.id', 'audit_events.subject_id')
    .select(({ fn }) => [
      'before',
      'after',
      fn.coalesce('accounts.name', 'promo_codes.code').as('about'),
    ])
    .orderBy('happened_at', 'desc')
    .orderBy('audit_events.id')
    .limit(limit)
    .offset(offset)
    .execute()
  const total = await countRows(selectActs(db))
  return { acts, total }
}
