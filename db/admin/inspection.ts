import { toFlag } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import type { Account, Instant } from '#db/schema.ts'
import { signInContact } from '#domain/accounts/contact.ts'
import { readPhone } from '#domain/accounts/phone.ts'

/** Returns the id of the installation that the database belongs to. */
export async function findInstallId(db: DbOrTrx): Promise<string | undefined> {
  const noted = db.selectFrom('meta').select('value').where('key', '=', 'install_id')
  return (await noted.executeTakeFirst())?.value
}

/** Returns the newest time in the database. The clock should be later. */
export async function findNewestInstant(db: DbOrTrx): Promise<Instant | undefined> {
  const newest = await Promise.all(
    [
      db.selectFrom('accounts').select(({ fn }) => fn.max('created_at').as('at')),
      db.selectFrom('qr_codes').select(({ fn }) => fn.max('created_at').as('at')),
      db.selectFrom('sessions').select(({ fn }) => fn.max('last_used_at').as('at')),
      db.selectFrom('audit_events').select(({ fn }) => fn.max('happened_at').as('at')),
    ].map((query) => query.executeTakeFirstOrThrow()),
  )
  return newest
    .map(({ at }) => at as Instant | null)
    .filter((at) => at !== null)
    .sort()
    .at(-1)
}

/** Returns whether there is data worth a backup. */
export async function hasAccounts(db: DbOrTrx): Promise<boolean> {
  const first = await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()
  return first !== undefined
}

/** Returns the codes with a number that the migration found in no country's plan. */
export async function listUnreadNumbers(db: DbOrTrx): Promise<string[]> {
  const codes = await db
    .selectFrom('qr_codes')
    .select('qr_id')
    .where(({ eb, or, and }) =>
      or([
        and([eb('contact_phone', 'is not', null), eb('contact_number', 'is', null)]),
        and([eb('emergency_contact_phone', 'is not', null), eb('emergency_number', 'is', null)]),
      ]),
    )
    .orderBy('qr_id')
    .execute()
  return codes.map(({ qr_id }) => qr_id)
}

/** Returns the contacts of the accounts with a mobile number that is in no country's plan. */
export async function listUnreadMobiles(db: DbOrTrx): Promise<string[]> {
  const accounts = await db
    .selectFrom('accounts')
    .select(['email', 'mobile', 'login_id'])
    .where('mobile', 'is not', null)
    .orderBy('id')
    .execute()
  const isPlaced = (mobile: string) => mobile.startsWith('+') && readPhone(mobile)?.e164
  const odd = accounts.filter(({ mobile }) => !isPlaced(mobile ?? ''))
  return odd.map(signInContact)
}

type RoleHolder = Pick<Account, 'parent_id' | 'email_verified_at' | 'role'> & { contact: string }

/** Accounts whose current or permanent role is more than client. */
export async function listRoleHolders(db: DbOrTrx): Promise<RoleHolder[]> {
  const holders = db
    .selectFrom('accounts')
    .select(({ fn }) => fn.coalesce('email', 'mobile', 'id').as('contact'))
    .select(['parent_id', 'email_verified_at', 'role'])
    .where('role', '!=', 'client')
  const later = db
    .selectFrom('temporary_permissions')
    .innerJoin('accounts', 'accounts.id', 'temporary_permissions.account_id')
    .select(({ fn }) => fn.coalesce('email', 'mobile', 'accounts.id').as('contact'))
    .select(['parent_id', 'email_verified_at', 'temporary_permissions.role'])
    .where('temporary_permissions.role', '!=', 'client')
  return holders.union(later).orderBy('contact').execute()
}

/** Returns the contacts of active administrators without an authenticator app and without a passkey. */
export async function listAdminsWithoutFactor(db: DbOrTrx): Promise<string[]> {
  const admins = await db
    .selectFrom('accounts')
    .select(['email', 'mobile', 'login_id'])
    .where('role', 'in', ['admin', 'super_admin'])
    .where('is_active', '=', toFlag(true))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('authenticators')
            .select('account_id')
            .whereRef('account_id', '=', 'accounts.id')
            .where('confirmed_at', 'is not', null),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('passkeys').select('id').whereRef('account_id', '=', 'accounts.id'))),
    )
    .orderBy('accounts.id')
    .execute()
  return admins.map(signInContact)
}
