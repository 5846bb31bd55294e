import { getAccount } from '#db/accounts/accounts.ts'
import { type Caller, inTransactionOf } from '#db/accounts/credentials.ts'
import { secondsAfter, toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import type { Notify } from '#db/outbox.ts'
import { accountNow } from '#db/plans/plan-now.ts'
import type { Account, Instant, Tables } from '#db/schema.ts'
import { hashToken, randomId, randomToken } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { INVITATION_DAYS } from '#domain/accounts/invitation.ts'
import { qrNotFound } from '#domain/codes/qr-id.ts'
import { DomainError } from '#domain/error.ts'
import type { ShareRole } from '#domain/people/roles.ts'
import { assertPeople, type NamedScope, type Scope } from '#domain/people/share.ts'
import { DAY } from '#domain/rate-limits.ts'

export type Invited = { email: string; role: ShareRole; scope: NamedScope }

/** An invitation that was just made, or its new link. Only this has the token. */
export type NewShareInvitation = {
  id: string
  email: string
  expires_at: Instant
  token: string
  owner: Account
  share: Scope & { role: ShareRole }
}

const endOf = (now: Date) => toInstant(secondsAfter(now, INVITATION_DAYS * DAY))

/**
 * Invites an address to help with the caller's codes. `notify` gets the token. Throws invalid for the own address,
 * not_found for a scope without codes of the caller, conflict for somebody who helps already and for a second
 * invitation, plan_limit above the number of people, and unauthenticated when the session has ended.
 */
export async function invitePerson(
  db: Db,
  caller: Caller,
  { email, role, scope, wasMailed }: Invited & { wasMailed: boolean },
  now: Date,
  notify: Notify<NewShareInvitation>,
): Promise<NewShareInvitation> {
  return inTransactionOf(db, caller, async (trx) => {
    const owner = await getAccount(trx, caller.accountId)
    if (email === owner.email) throw new DomainError('invalid.invite_self')
    const codes = await findScope(trx, owner.id, scope)
    await assertNewPerson(trx, owner.id, { 'accounts.email': email })
    await forgetExpired(trx, owner.id, now)
    const [id, token, expires_at] = [randomId(), randomToken(), endOf(now)]
    const link = { token_hash: hashToken(token), was_mailed: toFlag(wasMailed), expires_at }
    const about = { owner_id: owner.id, person_id: null, email, role, ...codes }
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('shares')
      .values({ id, ...about, ...link, created_at: toInstant(now) })
      .onConflict((conflict) => conflict.columns(['owner_id', 'email']).doNothing())
      .executeTakeFirstOrThrow()
    if (!numInsertedOrUpdatedRows) throw new DomainError('conflict.invited_already')
    const { count } = await trx
      .selectFrom('shares')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('owner_id', '=', owner.id)
      .executeTakeFirstOrThrow()
    assertPeople(accountNow(owner, now).subscription_plan, Number(count))
    const made = { id, email, expires_at, token, owner, share: { role, ...codes } }
    await notify(trx, made)
    return made
  })
}

/** Returns the columns of a named scope. Throws not_found where the owner has no such code. */
export async function findScope(trx: Trx, ownerId: string, scope: NamedScope): Promise<Scope> {
  const all = { company_fleet_name: null, code_id: null }
  if (scope === 'all') return all
  const isCompany = 'company_fleet_name' in scope
  const code = await trx
    .selectFrom('qr_codes')
    .select(['id', 'company_fleet_name'])
    .where('owner_id', '=', ownerId)
    .where((eb) => eb.and(scope))
    .limit(1)
    .executeTakeFirst()
  if (!code) throw isCompany ? new DomainError('not_found.company') : qrNotFound()
  return isCompany ? { ...all, ...scope } : { ...all, code_id: code.id }
}

/** Throws conflict for an account that helps an owner already. */
async function assertNewPerson(
  trx: Trx,
  ownerId: string,
  person: { 'accounts.email': string } | { 'accounts.id': string },
): Promise<void> {
  const held = await trx
    .selectFrom('shares')
    .innerJoin('accounts', 'accounts.id', 'shares.person_id')
    .select('shares.id')
    .where('shares.owner_id', '=', ownerId)
    .where((eb) => eb.and(person))
    .executeTakeFirst()
  if (held) throw new DomainError('conflict.helps_already')
}

/** Expired invitations neither count nor hinder a new one, also before the sweep. */
async function forgetExpired(trx: Trx, ownerId: string, now: Date): Promise<void> {
  await trx
    .deleteFrom('shares')
    .where('owner_id', '=', ownerId)
    .where('expires_at', '<=', toInstant(now))
    .execute()
}

/** Makes a new link of an open invitation, which ends the former and is shown, so that it proves no address. Throws not_found. */
export async function renewInvitation(
  db: Db,
  caller: Caller,
  id: string,
  now: Date,
): Promise<Omit<NewShareInvitation, 'owner' | 'share'>> {
  return inTransactionOf(db, caller, async (trx) => {
    const [token, expires_at] = [randomToken(), endOf(now)]
    const { email } = await trx
      .updateTable('shares')
      .set({ token_hash: hashToken(token), was_mailed: toFlag(false), expires_at })
      .where('id', '=', id)
      .where('owner_id', '=', caller.accountId)
      .where('expires_at', '>', toInstant(now))
      .returning('email')
      .$narrowType<{ email: string }>()
      .executeTakeFirstOrThrow(noPerson)
    return { id, email, expires_at, token }
  })
}

export function noPerson(): DomainError {
  return new DomainError('not_found.person')
}

type Row = Tables['shares']

/** An invitation as its link shows it. */
export type OpenInvitation = Pick<
  Row,
  'id' | 'owner_id' | 'role' | 'company_fleet_name' | 'code_id'
> & {
  email: string
  expires_at: Instant
  was_mailed: NonNullable<Row['was_mailed']>
  owner_name: string
  qr_id: string | null
  vehicle_registration: string | null
  vehicle_make_model: string | null
}

/** Returns the invitation of a link while it works: not that of a blocked owner. */
export async function findShareInvitation(
  db: DbOrTrx,
  token: string,
  now: Date,
): Promise<OpenInvitation | undefined> {
  return db
    .selectFrom('shares')
    .innerJoin('accounts as owner', 'owner.id', 'shares.owner_id')
    .leftJoin('qr_codes', 'qr_codes.id', 'shares.code_id')
    .select(['shares.id', 'shares.owner_id', 'shares.role', 'shares.company_fleet_name'])
    .select(['shares.code_id', 'shares.email', 'shares.expires_at', 'shares.was_mailed'])
    .select(['owner.name as owner_name', 'qr_codes.qr_id'])
    .select(['qr_codes.vehicle_registration', 'qr_codes.vehicle_make_model'])
    .where('shares.token_hash', '=', hashToken(token))
    .where('shares.expires_at', '>', toInstant(now))
    .where('owner.is_active', '=', toFlag(true))
    .$narrowType<{ email: string; expires_at: Instant; was_mailed: 0 | 1 }>()
    .executeTakeFirst()
}

/** Throws not_found for a link that does not work. */
export async function getShareInvitation(
  db: DbOrTrx,
  token: string,
  now: Date,
): Promise<OpenInvitation> {
  const invitation = await findShareInvitation(db, token, now)
  if (!invitation) throw new DomainError('not_found.dead_link')
  return invitation
}

export type Answered = { invitation: OpenInvitation; person: Account }

/**
 * Lets the caller help, once. Throws not_found for a link that does not work, invalid for the owner, forbidden for an
 * account with another address, conflict for one that helps already, plan_limit above the number of people of the
 * owner, and unauthenticated when the session has ended.
 */
export async function acceptShare(
  db: Db,
  caller: Caller,
  token: string,
  now: Date,
  notify: Notify<Answered>,
): Promise<void> {
  await inTransactionOf(db, caller, async (trx) => {
    const invitation = await getShareInvitation(trx, token, now)
    const person = await getAccount(trx, caller.accountId)
    if (person.id === invitation.owner_id) throw new DomainError('invalid.invite_self')
    if (person.email !== invitation.email) throw new DomainError('forbidden.invited_other')
    await joinPerson(trx, { invitation, person }, token, now)
    await notify(trx, { invitation, person })
  })
}

/** Gives a person the codes of an invitation, as a step of the acceptance. Throws as `acceptShare`. */
export async function joinPerson(
  trx: Trx,
  { invitation: { id, owner_id }, person }: Answered,
  token: string,
  now: Date,
): Promise<void> {
  await assertNewPerson(trx, owner_id, { 'accounts.id': person.id })
  const used = { email: null, token_hash: null, was_mailed: null, expires_at: null }
  const { numUpdatedRows } = await trx
    .updateTable('shares')
    .set({ ...used, person_id: person.id, created_at: toInstant(now) })
    .where('id', '=', id)
    .where('person_id', 'is', null)
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', toInstant(now))
    .executeTakeFirstOrThrow()
  if (!numUpdatedRows) throw new DomainError('not_found.dead_link')
  const owner = accountNow(await getAccount(trx, owner_id), now)
  const { count } = await trx
    .selectFrom('shares')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', owner_id)
    .where('person_id', 'is not', null)
    .executeTakeFirstOrThrow()
  assertPeople(owner.subscription_plan, Number(count))
}

/** Ends an invitation by its link. Throws not_found for a link that does not work. */
export async function declineShare(
  db: Db,
  token: string,
  now: Date,
  notify: Notify<OpenInvitation>,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const invitation = await getShareInvitation(trx, token, now)
    await trx.deleteFrom('shares').where('id', '=', invitation.id).execute()
    await notify(trx, invitation)
  })
}
