import type { ReactElement } from 'react'
import {
  BlockSender,
  DeleteConversation,
  NoNumber,
  ReportConversation,
  ShareNumber,
} from '#components/conversations/talk-dialogs.tsx'
import { findOwnQrCode } from '#db/codes/qr-codes.ts'
import { getConversation } from '#db/conversations/conversations.ts'
import type { Account } from '#db/schema.ts'
import { displayPhone } from '#domain/accounts/phone.ts'
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
  const { qr_id } = await getConversation(c.var.deps.db, account.id, place.conversation)
  if (number) return numberDialog(c, account, place, qr_id)
  if (report) return reportDialog(place)
  if (block) return <BlockSender action={conversationAction('block', place)} />
  return <DeleteConversation action={conversationAction('delete', place)} />
}

async function numberDialog(
  c: AppContext,
  account: Account,
  place: MessagesPlace,
  qrId: string,
): Promise<ReactElement> {
  const code = await findOwnQrCode(c.var.deps.db, account, qrId)
  const number = displayPhone(code?.contact_phone ?? '')
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
