import { checkShare, type Share, type Shared, shareDocument } from '#actions/papers/sharing.ts'
import type { Account } from '#db/schema.ts'
import { mailboxOf } from '#domain/accounts/contact.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireCaller } from '#routes/_http/guards.ts'
import { limit } from '#routes/_http/rate-limits.ts'

/** Shares a document of the caller. Throws too_many above the limits of mails. */
export async function shareForCaller(
  c: AppContext,
  account: Account,
  documentId: string,
  sent: Share,
): Promise<Shared> {
  const { deps } = c.var
  const share = checkShare(deps, sent)
  if (share.share_method === 'email') {
    const pair = JSON.stringify([account.id, mailboxOf(share.recipient ?? '')])
    limit(c, ['share-mail-contact', pair], 'share-mail')
  }
  const sharing = { sender: account.name, caller: requireCaller(c) }
  return shareDocument(deps, sharing, documentId, share)
}
