import { type ActionDeps, writingRules } from '#actions/deps.ts'
import { removeStoredFiles } from '#actions/papers/files.ts'
import { filesOf, orRemove } from '#actions/papers/uploads.ts'
import { aboutCustomers, aboutSupport } from '#actions/tickets/ticket-notices.ts'
import type { Attachment, OfForm } from '#db/conversations/messages.ts'
import type { Account } from '#db/schema.ts'
import * as changes from '#db/tickets/ticket-changes.ts'
import type { TicketMessageView, TicketView, WithMessages } from '#domain/tickets/ticket-view.ts'
import { keepDocument } from '#storage/intake.ts'
import type { Upload } from '#storage/uploads.ts'

/** A message as it was sent, with its file. */
type SentText = OfForm & { text: string; file: Upload | undefined }

/** Opens a ticket: first its file, then its rows and the mail to the support. */
export async function openTicket(
  deps: ActionDeps,
  accountId: string,
  { file, ...said }: SentText & { subject: string },
): Promise<WithMessages<TicketView>> {
  const { db } = deps
  const rules = writingRules(deps)
  // Checked before an image is drawn too.
  if (file) await changes.assertMayOpen(db, accountId, { ...said, attachment: 'coming' }, rules)
  const { ticket } = await withAttachment(deps, file, (attachment) =>
    changes.openTicket(db, accountId, { ...said, attachment }, rules, aboutCustomers(deps)),
  )
  return ticket
}

/** Stores a customer's answer with its file, and mails the support. */
export async function answerAsCustomer(
  deps: ActionDeps,
  accountId: string,
  id: string,
  { file, ...said }: SentText,
): Promise<TicketMessageView> {
  const { db } = deps
  const rules = writingRules(deps)
  if (file) {
    await changes.assertCustomerMayWrite(
      db,
      accountId,
      id,
      { ...said, attachment: 'coming' },
      rules,
    )
  }
  const { message } = await withAttachment(deps, file, (attachment) => {
    const answer = { ...said, attachment }
    return changes.answerAsCustomer(db, accountId, id, answer, rules, aboutCustomers(deps))
  })
  return message
}

/** Stores an answer of the support with its file, and mails the customer. */
export async function answerAsSupport(
  deps: ActionDeps,
  admin: Account,
  id: string,
  { file, ...said }: SentText,
): Promise<TicketMessageView> {
  const { db } = deps
  const rules = writingRules(deps)
  if (file) {
    await changes.assertSupportMayWrite(db, admin, id, { ...said, attachment: 'coming' }, rules)
  }
  const { message } = await withAttachment(deps, file, (attachment) =>
    changes.answerAsSupport(db, admin, id, { ...said, attachment }, rules, aboutSupport(deps)),
  )
  return message
}

/** Stores the file under the rules of documents, and removes it if its row is not inserted. */
async function withAttachment<T extends { isAgain: boolean }>(
  deps: ActionDeps,
  file: Upload | undefined,
  insert: (attachment: Attachment | undefined) => Promise<T>,
): Promise<T> {
  if (!file) return insert(undefined)
  const kept = await keepDocument(deps.files, file)
  const stored_names = filesOf(kept)
  const written = await orRemove(deps, stored_names, () => insert(kept))
  if (written.isAgain) await removeStoredFiles(deps, { stored_names })
  return written
}
