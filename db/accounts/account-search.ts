import type { Expression, ExpressionBuilder, NotNull, SqlBool } from 'kysely'
import {
  getAccount,
  type ListedAccount,
  selectListed,
  userNotFound,
} from '#db/accounts/accounts.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import { containsText, spellings } from '#db/codes/qr-search.ts'
import { countRows, inPages, PAGE_ROWS } from '#db/pages.ts'
import { planNowSql } from '#db/plans/plan-now.ts'
import type { Account, Tables } from '#db/schema.ts'
import { findByText } from '#db/text-search.ts'
import type { Contacts } from '#domain/accounts/contact.ts'
import { type Role, rolesCountedAs } from '#domain/accounts/roles.ts'
import type { PlanId } from '#domain/plans/plan.ts'

type Builder = ExpressionBuilder<Tables, 'accounts'>

/** Filters accounts. The search covers name, e-mail and mobile number; the plan is that of an instant. */
export type AccountFilter = {
  search: string | null
  role?: Role | undefined
  plan?: { id: PlanId; now: Date } | undefined
}

/** Returns a page of accounts, newest first, and the total number. */
export async function searchAccounts(
  db: DbOrTrx,
  { limit, offset, ...filter }: AccountFilter & { limit: number; offset: number },
): Promise<{ users: ListedAccount[]; total: number }> {
  const texts = filter.search ? spellings(filter.search) : []
  const indexed = texts.length > 0 ? await findByText(db, 'accounts', ...texts) : undefined
  const total = await countRows(db.selectFrom('accounts').where(matches(filter, indexed)))
  const users = await newestFirst(db, filter, indexed).limit(limit).offset(offset).execute()
  return { users, total }
}

/** Returns an account as in the list. Throws not_found. */
export async function getListedAccount(db: DbOrTrx, accountId: string): Promise<ListedAccount> {
  return selectListed(db).where('id', '=', accountId).executeTakeFirstOrThrow(userNotFound)
}

/** Returns all matching accounts, newest first, in pages. */
export function eachAccount(db: Db, filter: AccountFilter): AsyncIterable<ListedAccount[]> {
  return inPages<ListedAccount>((last) =>
    newestFirst(db, filter)
      .$if(last !== undefined, (query) => query.where(isBehind(last as ListedAccount)))
      .limit(PAGE_ROWS)
      .execute(),
  )
}

function newestFirst(db: DbOrTrx, filter: AccountFilter, indexed?: Expression<SqlBool>) {
  return selectListed(db)
    .where(matches(filter, indexed))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
}

function matches({ search, role, plan }: AccountFilter, indexed?: Expression<SqlBool>) {
  return (eb: Builder) => {
    const { and, or, ref } = eb
    const texts = [ref('name'), ref('email'), ref('mobile')]
    return and([
      ...(role ? [eb('role', 'in', rolesCountedAs(role))] : []),
      ...(plan ? [eb(planNowSql(eb, plan.now), '=', plan.id)] : []),
      ...(indexed ? [indexed] : []),
      ...(search ? [or(texts.map((each) => containsText(each, search)))] : []),
    ])
  }
}

function isBehind({ created_at, id }: ListedAccount) {
  return ({ eb, refTuple, tuple }: Builder) =>
    eb(refTuple('created_at', 'id'), '<', tuple(created_at, id))
}

/** An account, its parent, and the child users who registered its codes. */
export type Family = { user: Account; parent: Account | undefined; children: ChildUser[] }
export type ChildUser = Pick<Account, 'id' | 'name' | keyof Contacts | 'is_active'> & {
  qr_count: number
}

/** Returns the account with its parent and its child users, oldest first. Throws not_found. */
export async function getFamily(db: Db, accountId: string): Promise<Family> {
  const user = await getAccount(db, accountId)
  const parent = user.parent_id ? await getAccount(db, user.parent_id) : undefined
  const children = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'email', 'mobile', 'login_id', 'is_active'])
    .select(({ selectFrom, fn }) =>
      selectFrom('qr_codes')
        .select(fn.countAll<number>().as('count'))
        .where(({ or, eb, ref }) =>
          or([
            eb('owner_id', '=', ref('accounts.id')),
            eb('child_account_id', '=', ref('accounts.id')),
          ]),
        )
        .as('qr_count'),
    )
    .$narrowType<{ qr_count: NotNull }>()
    .where('parent_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return { user, parent, children }
}
