import type { UserRowView } from '#components/user-table.tsx'
import type { ListedAccount } from '#db/accounts.ts'
import { fromFlag } from '#db/cast.ts'
import { displayMobile } from '#domain/contact.ts'
import { formatDateTime } from '#domain/time.ts'
import type { AppContext } from '#routes/_deps.ts'

export type UserCardView = UserRowView & { qr_count: number; doc_count: number }

/** An account as the lists of the page show it. */
export function toUserCardView(c: AppContext, account: ListedAccount): UserCardView {
  const { id, name, email, mobile, role, is_active, expires_at, qr_count, doc_count } = account
  return {
    id,
    name,
    contact: email ?? displayMobile(mobile ?? ''),
    role,
    is_active: fromFlag(is_active),
    until: expires_at && formatDateTime(expires_at, c.var.deps.config.timezone),
    qr_count,
    doc_count,
  }
}
