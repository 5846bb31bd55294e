import type { ReactElement } from 'react'
import {
  BlockSender,
  DeleteConversation,
  NoNumber,
  ReportConversation,
  ShareNumber,
} from '#components/conversations/talk-dialogs.tsx'
import { findCodeOf } from '#db/conversations/code-user.ts'
import { getOwnConversation } from '#db/conversations/conversations.ts'
import type { Account, FinderConversationRow } from '#db/schema.ts'
import { shownNumber } from '#domain/codes/phones.ts'
import { conversationAction, type MessagesPlace } from '#domain/conversations/places.ts'
import { englishText } from '#locales/refusal.ts'
import type { AppContext } from '#routes/_http/context.ts'

/** Renders the dialog that the address asks for over the open conversation. Throws not_found. */
export async function requestedTalkDialog(
  c: AppContext,
  account: Account,
  place: MessagesPlace,
): Promise<ReactElement | undefined> {
  const { number, report, block, delete: deletes } = c.req.query()
  if (!place.conversation || !(number || report || block || deletes)) return undefined
  const conversation = await getOwnConversation(c.var.deps.db, account.id, place.conversation)
  if (number) return numberDialog(c, place, conversation)
  if (report) return reportDialog(place)
  if (block) return <BlockSender action={conversationAction('block', place)} />
  return <DeleteConversation action={conversationAction('delete', place)} />
}

async function numberDialog(
  c: AppContext,
  place: MessagesPlace,
  conversation: FinderConversationRow,
): Promise<ReactElement> {
  const code = await findCodeOf(c.var.deps.db, conversation)
  const number = code && shownNumber(code.contact_phone, code.contact_number)
  if (!number)
    return <NoNumber why={englishText(code ? 'invalid.no_number' : 'conflict.not_your_code')} />
  return <ShareNumber action={conversationAction('answer', place)} number={number} />
}

/** Renders the form of a report; `typed` and `message` are those of a refused one. */
export function reportDialog(
  place: MessagesPlace,
  refused: { typed: Record<string, string>; message?: string } = { typed: {} },
): ReactElement {
  return <ReportConversation action={conversationAction('report', place)} {...refused} />
}
