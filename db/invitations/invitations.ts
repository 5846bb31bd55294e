import { findAccountByContact } from '#db/accounts/accounts.ts'
import { findProvenAccount } from '#db/accounts/address-proof.ts'
import { type Actor, recordAdminAct } from '#db/admin/audit-events.ts'
import { secondsAfter, toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import type { Notify } from '#db/outbox.ts'
import type { Instant, RowOf } from '#db/schema.ts'
import { hashToken, randomId, randomToken } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { INVITATION_DAYS } from '#domain/accounts/invitation.ts'
import { isAdmin, ROLES } from '#domain/accounts/roles.ts'
import { DomainError } from '#domain/error.ts'
import { DAY } from '#domain/rate-limits.ts'

export type Invitation = RowOf<'invitations'>

/** An invitation that was just made. Only this has its token. */
export type NewInvitation = { id: string; email: string; expires_at: Instant; token: string }

/**
 * Invites an address, in place of an earlier invitation of it. `notify` gets the token. Throws conflict for an address
 * that an account keeps: with a mailed link, which proves the address, only one that has proven it; and forbidden for
 * somebody who is no admin any more.
 */
export async function invite(
  db: Db,
  { email, wasMailed }: { email: string; wasMailed: boolean },
  by: Actor,
  now: Date,
  notify: Notify<NewInvitation>,
): Promise<NewInvitation> {
  return inTransaction(db, async (trx) => {
    const holder = wasMailed
      ? await findProvenAccount(trx, email)
      : await findAccountByContact(trx, { kind: 'email', email })
    if (holder) throw new DomainError('conflict.other_has_email')
    const [id, token] = [randomId(), randomToken()]
    const expires_at = toInstant(secondsAfter(now, INVITATION_DAYS * DAY))
    const row = {
      id,
      email,
      token_hash: hashToken(token),
      account_id: by.actor_id,
      was_mailed: toFlag(wasMailed),
      created_at: toInstant(now),
      expires_at,
    }
    await trx
      .insertInto('invitations')
      .values(row)
      .onConflict((conflict) => conflict.column('email').doUpdateSet(row))
      .execute()
    await note(trx, id, 'made', by, now)
    const made = { id, email, expires_at, token }
    await notify(trx, made)
    return made
  })
}

/** Ends an invitation. Throws not_found, also for one that was accepted, and forbidden as `invite` does. */
export async function withdrawInvitation(db: Db, id: string, by: Actor, now: Date): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('invitations')
      .where('id', '=', id)
      .executeTakeFirst()
    if (!numDeletedRows) throw noInvitation()
    await note(trx, id, 'withdrawn', by, now)
  })
}

/** Records an act without the address: most people who are invited have no account that could delete it. */
async function note(
  trx: Trx,
  subject_id: string,
  verb: 'made' | 'withdrawn',
  by: Actor,
  now: Date,
): Promise<void> {
  const act = { ...by, action: `invitation.${verb}`, subject_type: 'invitation', subject_id }
  await recordAdminAct(trx, act, now)
}

/** Selects the invitations that count: until their end, and while the admin who made them is one. */
function selectLive(db: DbOrTrx, now: Date) {
  return db
    .selectFrom('invitations')
    .leftJoin('accounts as inviter', 'inviter.id', 'invitations.account_id')
    .where('invitations.expires_at', '>', toInstant(now))
    .where(({ eb, or, and }) =>
      or([
        eb('invitations.account_id', 'is', null),
        and([
          eb('inviter.is_active', '=', toFlag(true)),
          eb('inviter.role', 'in', ROLES.filter(isAdmin)),
        ]),
      ]),
    )
}

export type ListedInvitation = Pick<Invitation, 'id' | 'email' | 'created_at' | 'expires_at'> & {
  was_mailed: Invitation['was_mailed']
  /** the name of the admin; null for the operator */
  invited_by: string | null
}

function selectListed(db: DbOrTrx, now: Date) {
  return selectLive(db, now)
    .select(['invitations.id', 'invitations.email', 'invitations.was_mailed'])
    .select(['invitations.created_at', 'invitations.expires_at', 'inviter.name as invited_by'])
}

/** Returns the invitations that count, newest first. */
export async function listInvitations(db: DbOrTrx, now: Date): Promise<ListedInvitation[]> {
  return selectListed(db, now)
    .orderBy('invitations.created_at', 'desc')
    .orderBy('invitations.id')
    .execute()
}

/** Throws not_found. */
export async function getInvitation(db: DbOrTrx, id: string, now: Date): Promise<ListedInvitation> {
  return selectListed(db, now)
    .where('invitations.id', '=', id)
    .executeTakeFirstOrThrow(noInvitation)
}

/** Returns the invitation of a link; undefined when the link does not work. */
export async function findInvitation(
  db: DbOrTrx,
  token: string,
  now: Date,
): Promise<Invitation | undefined> {
  return selectLive(db, now)
    .selectAll('invitations')
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst()
}

/**
 * Ends the invitation of an address that has an account now, which the audit log then names. Returns the invitation if
 * the token is that of its link, and it still counts.
 */
export async function spendInvitation(
  trx: Trx,
  token: string | undefined,
  account: { id: string; email: string },
  now: Date,
): Promise<Invitation | undefined> {
  const found = token ? await findInvitation(trx, token, now) : undefined
  const ended = await trx
    .deleteFrom('invitations')
    .where('email', '=', account.email)
    .returning('id')
    .executeTakeFirst()
  if (!ended) return undefined
  await trx
    .updateTable('audit_events')
    .set({ subject_id: account.id })
    .where('subject_id', '=', ended.id)
    .execute()
  return found?.id === ended.id ? found : undefined
}

function noInvitation(): DomainError {
  return new DomainError('not_found.invitation')
}
