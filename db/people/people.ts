import { getAccount } from '#db/accounts/accounts.ts'
import { type Caller, inTransactionOf } from '#db/accounts/credentials.ts'
import { toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import type { Notify } from '#db/outbox.ts'
import { findScope, noPerson } from '#db/people/invitations.ts'
import type { AccountNow } from '#db/plans/plan-now.ts'
import type { Account, Flag, Instant } from '#db/schema.ts'
import type { ShareRole } from '#domain/people/roles.ts'
import { isAwake, MOST_PEOPLE, type NamedScope, type Scope } from '#domain/people/share.ts'

/** A share in a list; `name` and `email` are those of the other side. */
export type ListedShare = {
  id: string
  name: string | null
  email: string | null
  role: ShareRole
  company_fleet_name: string | null
  /** the shared code, if it is one */
  qr_id: string | null
  vehicle_registration: string | null
  vehicle_make_model: string | null
  /** when it was accepted */
  created_at: Instant
}

/** A person who helps. Above the limit of the owner's plan the newest sleep. */
export type ListedPerson = ListedShare & { is_asleep: boolean }
export type ListedInvitation = ListedShare & {
  email: string
  expires_at: Instant
  was_mailed: Flag
}

function selectShares(db: DbOrTrx, other: 'owner_id' | 'person_id') {
  return db
    .selectFrom('shares')
    .leftJoin('accounts as other', 'other.id', `shares.${other}`)
    .leftJoin('qr_codes', 'qr_codes.id', 'shares.code_id')
    .select(['shares.id', 'shares.role', 'shares.company_fleet_name', 'shares.created_at'])
    .select(['other.name', 'qr_codes.qr_id'])
    .select(['qr_codes.vehicle_registration', 'qr_codes.vehicle_make_model'])
    .orderBy('shares.created_at')
    .orderBy('shares.id')
}

/** Returns the people who help an owner and the open invitations, the oldest first, and how many there may be. */
export async function listPeople(
  db: DbOrTrx,
  { id, subscription_plan }: Pick<AccountNow, 'id' | 'subscription_plan'>,
  now: Date,
): Promise<{ people: ListedPerson[]; invitations: ListedInvitation[]; limit: number }> {
  const rows = await selectShares(db, 'person_id')
    .select(({ fn }) => [
      fn.coalesce('shares.email', 'other.email').as('email'),
      'shares.expires_at',
      'shares.was_mailed',
    ])
    .where('shares.owner_id', '=', id)
    .where(({ eb, or }) =>
      or([eb('shares.expires_at', 'is', null), eb('shares.expires_at', '>', toInstant(now))]),
    )
    .execute()
  const people = rows
    .filter(({ expires_at }) => expires_at === null)
    .map(({ expires_at: _, was_mailed: __, ...share }, older) => ({
      ...share,
      is_asleep: !isAwake(subscription_plan, older),
    }))
  const invitations = rows.filter(({ expires_at }) => expires_at !== null) as ListedInvitation[]
  return { people, invitations, limit: MOST_PEOPLE[subscription_plan] }
}

/** Returns the owners whom an account helps, also those whose shares sleep, the oldest first. */
export async function listHelping(db: DbOrTrx, personId: string): Promise<ListedShare[]> {
  return selectShares(db, 'owner_id')
    .select('other.email')
    .where('shares.person_id', '=', personId)
    .execute()
}

/** A share that was changed or has ended, with both sides. */
export type SettledShare = { owner: Account; person: Account; share: Scope & { role: ShareRole } }

export type ShareChange = { role?: ShareRole | undefined; scope?: NamedScope | undefined }

/**
 * Gives a person or an invitation another role or other codes, which counts from the next request. Throws not_found,
 * also for codes that are not the caller's, and unauthenticated when the session has ended. `notify` is called for a
 * person.
 */
export async function changeShare(
  db: Db,
  caller: Caller,
  { id, role, scope }: ShareChange & { id: string },
  now: Date,
  notify: Notify<SettledShare>,
): Promise<void> {
  await inTransactionOf(db, caller, async (trx) => {
    const owner_id = caller.accountId
    const change = { ...(role && { role }), ...(scope && (await findScope(trx, owner_id, scope))) }
    const share = await trx
      .updateTable('shares')
      // The id stands for no change at all.
      .set({ id, ...change })
      .where('id', '=', id)
      .where('owner_id', '=', owner_id)
      .where(({ eb, or }) =>
        or([eb('expires_at', 'is', null), eb('expires_at', '>', toInstant(now))]),
      )
      .returning(['owner_id', 'person_id', 'role', 'company_fleet_name', 'code_id'])
      .executeTakeFirstOrThrow(noPerson)
    await tell(trx, share, notify)
  })
}

/** Ends a share or an open invitation of the caller's codes. Throws as `changeShare`. */
export async function removePerson(
  db: Db,
  caller: Caller,
  id: string,
  notify: Notify<SettledShare>,
): Promise<void> {
  await endShare(db, caller, { id, owner_id: caller.accountId }, notify)
}

/** Ends a share of others with the caller. Throws as `changeShare`. */
export async function leaveOwner(
  db: Db,
  caller: Caller,
  id: string,
  notify: Notify<SettledShare>,
): Promise<void> {
  await endShare(db, caller, { id, person_id: caller.accountId }, notify)
}

async function endShare(
  db: Db,
  caller: Caller,
  which: { id: string } & ({ owner_id: string } | { person_id: string }),
  notify: Notify<SettledShare>,
): Promise<void> {
  await inTransactionOf(db, caller, async (trx) => {
    const ended = await trx
      .deleteFrom('shares')
      .where(({ and }) => and(which))
      .returning(['owner_id', 'person_id', 'role', 'company_fleet_name', 'code_id'])
      .executeTakeFirstOrThrow(noPerson)
    await tell(trx, ended, notify)
  })
}

type Sides = SettledShare['share'] & { owner_id: string; person_id: string | null }

/** An invitation has nobody else to tell. */
async function tell(
  trx: Trx,
  { owner_id, person_id, ...share }: Sides,
  notify: Notify<SettledShare>,
): Promise<void> {
  if (!person_id) return
  const [owner, person] = [await getAccount(trx, owner_id), await getAccount(trx, person_id)]
  await notify(trx, { owner, person, share })
}

/** Ends the shares and invitations of one side, or of a code. A step of a verb's transaction. */
export async function endShares(
  trx: Trx,
  side: { owner_id: string } | { person_id: string } | { code_id: string },
): Promise<void> {
  await trx
    .deleteFrom('shares')
    .where(({ and }) => and(side))
    .execute()
}
