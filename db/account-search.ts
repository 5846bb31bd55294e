import { type ExpressionBuilder, sql } from 'kysely'
import { type ListedAccount, selectListed } from '#db/accounts.ts'
import type { DbOrTrx } from '#db/client.ts'
import { containsText } from '#db/qr-search.ts'
import type { Tables } from '#db/schema.ts'
import type { PlanId } from '#domain/plan.ts'
import type { Role } from '#domain/roles.ts'

/** Which accounts, newest first; a search is about name, e-mail and mobile number. */
export type AccountPage = {
  search: string | null
  roles?: Role[] | undefined
  plan?: PlanId | undefined
  limit: number
  offset: number
}

/** A page of the accounts, and how many there are beyond it. */
export async function searchAccounts(
  db: DbOrTrx,
  { search, roles, plan, limit, offset }: AccountPage,
): Promise<{ users: ListedAccount[]; total: number }> {
  const matches = ({ eb, and, or, ref }: ExpressionBuilder<Tables, 'accounts'>) =>
    and([
      roles ? eb('role', 'in', roles) : sql<boolean>`true`,
      plan ? eb('subscription_plan', '=', plan) : sql<boolean>`true`,
      search
        ? or([ref('name'), ref('email'), ref('mobile')].map((each) => containsText(each, search)))
        : sql<boolean>`true`,
    ])
  const { total } = await db
    .selectFrom('accounts')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where(matches)
    .executeTakeFirstOrThrow()
  const users = await selectListed(db)
    .where(matches)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { users, total }
}
