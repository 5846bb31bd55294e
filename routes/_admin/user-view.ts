import type { UserRowView } from '#components/admin/user-table.tsx'
import { searchAccounts } from '#db/accounts/account-search.ts'
import type { ListedAccount } from '#db/accounts/accounts.ts'
import { fromFlag } from '#db/cast.ts'
import { contactOf } from '#domain/accounts/contact.ts'
import { isUnproven } from '#domain/accounts/permission.ts'
import { roleNow } from '#domain/accounts/roles.ts'
import { filteredRole, USERS_PAGE_SIZE, type UserPlace } from '#domain/admin/management.ts'
import { formatDateTime } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { rowsOfPage } from '#routes/_http/lists.ts'

export type UserCardView = UserRowView & { qr_count: number; doc_count: number }

/** Describes an account for the lists of users. */
export function toUserCardView(c: AppContext, account: ListedAccount): UserCardView {
  const { id, name, role, is_active, expires_at, qr_count, doc_count } = account
  return {
    id,
    name,
    contact: contactOf(account),
    is_unproven: isUnproven(account),
    role: roleNow(role),
    is_active: fromFlag(is_active),
    until: expires_at && formatDateTime(expires_at, c.var.deps.config.timezone),
    qr_count,
    doc_count,
  }
}

/** Reads the users at a place in the list. */
export async function readUsers(c: AppContext, { q, role, page }: UserPlace) {
  const { users, total } = await searchAccounts(c.var.deps.db, {
    search: q || null,
    role: filteredRole(role),
    ...rowsOfPage(page, USERS_PAGE_SIZE),
  })
  return { users: users.map((user) => toUserCardView(c, user)), total }
}
