import type { ReactElement } from 'react'
import {
  BlockSender,
  DeleteConversation,
  NoNumber,
  ReportConversation,
  ShareNumber,
} from '#components/conversations/talk-dialogs.tsx'
import { findCodeOf } from '#db/conversations/code-user.ts'
import { getOwnConversation, shareOfConversation } from '#db/conversations/seen-conversations.ts'
import type { Account } from '#db/schema.ts'
import { shownNumber } from '#domain/codes/phones.ts'
import { conversationAction, type MessagesPlace } from '#domain/conversations/places.ts'
import { englishText } from '#locales/refusal.ts'
import type { AppContext } from '#routes/_http/context.ts'

/** Renders the dialog that the address asks for over the open conversation. Throws not_found, and forbidden. */
export async function requestedTalkDialog(
  c: AppContext,
  account: Account,
  place: MessagesPlace,
): Promise<ReactElement | undefined> {
  const { number, report, block, delete: deletes } = c.req.query()
  if (!place.conversation || !(number || report || block || deletes)) return undefined
  const { db } = c.var.deps
  const right = number ? 'answer' : deletes ? 'papers' : 'tend'
  const conversation = await getOwnConversation(db, account, place.conversation, { right })
  const shared_by = shareOfConversation(account, conversation)?.owner_name ?? null
  if (number) return numberDialog(place, shared_by, await findCodeOf(db, conversation))
  if (report) return reportDialog(place)
  if (block) {
    return <BlockSender action={conversationAction('block', place)} shared_by={shared_by} />
  }
  return <DeleteConversation action={conversationAction('delete', place)} />
}

/** Shows the number of the code, which is the owner's. */
function numberDialog(
  place: MessagesPlace,
  shared_by: string | null,
  code: Awaited<ReturnType<typeof findCodeOf>>,
): ReactElement {
  const number = code && shownNumber(code.contact_phone, code.contact_number)
  if (!number) {
    const why = englishText(code ? 'invalid.no_number' : 'conflict.not_your_code')
    return <NoNumber shared_by={shared_by} why={why} />
  }
  const action = conversationAction('answer', place)
  return <ShareNumber action={action} shared_by={shared_by} number={number} />
}

/** Renders the form of a report; `typed` and `message` are those of a refused one. */
export function reportDialog(
  place: MessagesPlace,
  refused: { typed: Record<string, string>; message?: string } = { typed: {} },
): ReactElement {
  return <ReportConversation action={conversationAction('report', place)} {...refused} />
}
