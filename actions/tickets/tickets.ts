import type { ActionDeps } from '#actions/deps.ts'
import { removeStoredFiles } from '#actions/papers/files.ts'
import { filesOf, orRemove } from '#actions/papers/uploads.ts'
import { aboutCustomers, aboutSupport } from '#actions/tickets/ticket-notices.ts'
import type { Attachment } from '#db/conversations/messages.ts'
import type { Account } from '#db/schema.ts'
import * as changes from '#db/tickets/ticket-changes.ts'
import type { TicketMessageView, TicketView, WithMessages } from '#domain/tickets/ticket-view.ts'
import { keepDocument } from '#storage/intake.ts'
import type { Upload } from '#storage/uploads.ts'

/** A message as it was sent, with its file. */
export type SentText = { text: string; file: Upload | undefined; isOfForm?: boolean }

/** Opens a ticket: first its file, then its rows and the mail to the support. */
export async function openTicket(
  deps: ActionDeps,
  accountId: string,
  { file, ...ticket }: SentText & { subject: string },
): Promise<WithMessages<TicketView>> {
  const rules = rulesOf(deps)
  // Checked before an image is drawn too.
  if (file) await changes.assertMayOpen(deps.db, accountId, rules)
  return withAttachment(deps, file, (attachment) =>
    changes.openTicket(deps.db, accountId, { ...ticket, attachment }, rules, aboutCustomers(deps)),
  )
}

/** As the verb, with the file and a mail to the support. */
export async function answerAsCustomer(
  deps: ActionDeps,
  accountId: string,
  id: string,
  { file, ...said }: SentText,
): Promise<TicketMessageView> {
  const { db } = deps
  const rules = rulesOf(deps)
  if (file) await changes.assertCustomerMayWrite(db, accountId, id, { ...rules, hasFile: true })
  return withAttachment(deps, file, (attachment) => {
    const answer = { ...said, attachment }
    return changes.answerAsCustomer(db, accountId, id, answer, rules, aboutCustomers(deps))
  })
}

/** As the verb, with the file and a mail to the customer. */
export async function answerAsSupport(
  deps: ActionDeps,
  admin: Account,
  id: string,
  { file, ...said }: SentText,
): Promise<TicketMessageView> {
  const { db } = deps
  const rules = rulesOf(deps)
  if (file) await changes.assertSupportMayWrite(db, id, { ...rules, hasFile: true })
  return withAttachment(deps, file, (attachment) =>
    changes.answerAsSupport(db, admin, id, { ...said, attachment }, rules, aboutSupport(deps)),
  )
}

/** Stores the file under the rules of documents, and removes it if its row is not inserted. */
async function withAttachment<T>(
  deps: ActionDeps,
  file: Upload | undefined,
  insert: (attachment: Attachment | undefined) => Promise<changes.Written<T>>,
): Promise<T> {
  if (!file) return (await insert(undefined)).made
  const kept = await keepDocument(deps.files, file)
  const stored_names = filesOf(kept)
  const { made, isAgain } = await orRemove(deps, stored_names, () => insert(kept))
  if (isAgain) await removeStoredFiles(deps, { stored_names })
  return made
}

function rulesOf({ clock, config }: ActionDeps) {
  return { now: clock(), isLimited: config.rateLimits }
}
