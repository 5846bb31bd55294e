import type { NotNull } from 'kysely'
import { toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import { countRows } from '#db/pages.ts'
import type { Account, Instant } from '#db/schema.ts'
import { randomId } from '#db/secrets.ts'
import { type Contact, contactTexts } from '#domain/accounts/contact.ts'
import type { Role } from '#domain/accounts/roles.ts'
import { DomainError } from '#domain/error.ts'
import { hasPlans } from '#domain/plans/offer.ts'
import { PLANS, type PlanId } from '#domain/plans/plan.ts'

export type NewAccount = {
  name: string
  email: string | null
  /** default: null */
  email_verified_at?: Instant | null
  mobile?: string | null
  /** default: null, as is the address of an account that has a login id in its place */
  login_id?: string | null
  lost_email?: string | null
  password_hash: string | null
  role?: Role
  subscription_plan?: PlanId
  parent_id?: string | null
}

/**
 * Inserts an account with its plan's quotas. Throws conflict when the e-mail or mobile is taken.
 */
export async function insertAccount(
  db: DbOrTrx,
  { name, email, mobile = null, password_hash, ...rest }: NewAccount,
  now: Date,
): Promise<Account> {
  const { role = 'client', subscription_plan = 'free', parent_id = null } = rest
  const { email_verified_at = null, login_id = null, lost_email = null } = rest
  const { qr_limit, child_qr_limit } = PLANS[subscription_plan]
  const account: Account = {
    id: randomId(),
    name,
    email,
    email_verified_at,
    mobile,
    login_id,
    email_lost_at: null,
    lost_email,
    password_hash,
    role,
    subscription_plan,
    qr_limit,
    child_qr_quota: child_qr_limit,
    is_active: toFlag(true),
    parent_id,
    created_at: toInstant(now),
    term_plan: null,
    term_ends_at: null,
    term_child_quota: 0,
    term_reminded: 0,
  }
  const { numInsertedOrUpdatedRows: inserted } = await db
    .insertInto('accounts')
    .values(account)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (!inserted) throw takenContact(email)
  return account
}

function takenContact(email: string | null): DomainError {
  return email ? new DomainError('conflict.email_taken') : new DomainError('conflict.contact_taken')
}

/** Returns the account with this contact, which an earlier version may have stored in another form. */
export async function findAccountByContact(
  db: DbOrTrx,
  contact: Contact | undefined,
): Promise<Account | undefined> {
  if (!contact) return undefined
  const texts = contactTexts(contact)
  const found = await db
    .selectFrom('accounts')
    .selectAll()
    .where(contact.kind, 'in', texts)
    .execute()
  return found.find((account) => account[contact.kind] === texts[0]) ?? found[0]
}

export async function findAccount(db: DbOrTrx, accountId: string): Promise<Account | undefined> {
  return db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirst()
}

/** Throws not_found. */
export async function getAccount(db: DbOrTrx, accountId: string): Promise<Account> {
  const account = await findAccount(db, accountId)
  if (!account) throw userNotFound()
  return account
}

export function userNotFound(): DomainError {
  return new DomainError('not_found.user')
}

/** Returns how many codes count against the account's plan, including those that others claimed. */
export function countQrCodes(db: DbOrTrx, accountId: string): Promise<number> {
  return countRows(
    db.selectFrom('qr_codes').where('created_by', '=', accountId).where('qr_type', '=', 'normal'),
  )
}

/**
 * An account as in the list. `expires_at` is when its permission ends; null for a permanent one. Its plan
 * is as stored: views show `withPlanNow`.
 */
export type ListedAccount = Omit<
  Account,
  'password_hash' | 'term_reminded' | 'email_lost_at' | 'lost_email'
> & {
  expires_at: Instant | null
  qr_count: number
  doc_count: number
}

/** Accounts with how many codes count against their plan and how many documents they uploaded. */
export function selectListed(db: DbOrTrx) {
  return db
    .selectFrom('accounts')
    .select(['id', 'name', 'email', 'mobile', 'login_id', 'role', 'subscription_plan', 'qr_limit'])
    .select(['child_qr_quota', 'is_active', 'parent_id', 'created_at', 'email_verified_at'])
    .select(['term_plan', 'term_ends_at', 'term_child_quota'])
    .select(({ selectFrom, fn }) => [
      selectFrom('temporary_permissions')
        .select('expires_at')
        .whereRef('account_id', '=', 'accounts.id')
        // Without plans nothing ends with a role that only gives one.
        .$if(!hasPlans(), (query) => query.where('accounts.role', '!=', 'premium'))
        .as('expires_at'),
      selectFrom('qr_codes')
        .select(fn.countAll<number>().as('count'))
        .whereRef('created_by', '=', 'accounts.id')
        .where('qr_type', '=', 'normal')
        .as('qr_count'),
      selectFrom('documents')
        .select(fn.countAll<number>().as('count'))
        .whereRef('documents.account_id', '=', 'accounts.id')
        .as('doc_count'),
    ])
    .$narrowType<{ qr_count: NotNull; doc_count: NotNull }>()
}

/** Returns all accounts, oldest first. */
export async function listAccounts(db: Db): Promise<ListedAccount[]> {
  return selectListed(db).orderBy('created_at').orderBy('id').execute()
}
