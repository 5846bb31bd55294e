import { aboutFinders, aboutOwners, finderMailBrand } from '#actions/conversations/notices.ts'
import { type ActionDeps, writingRules } from '#actions/deps.ts'
import type { MayMail } from '#actions/mail.ts'
import { removeStoredFiles } from '#actions/papers/files.ts'
import { orRemove } from '#actions/papers/uploads.ts'
import { resolveTalkAddress } from '#db/brands/resolve-brand.ts'
import * as answers from '#db/conversations/answers.ts'
import { findUserOfCode } from '#db/conversations/code-user.ts'
import * as changes from '#db/conversations/conversation-changes.ts'
import {
  assertMayStart,
  startConversation as insertConversation,
  type NewConversation,
} from '#db/conversations/conversation-start.ts'
import * as endings from '#db/conversations/endings.ts'
import type { ConversationStatus } from '#domain/conversations/conversation.ts'
import type {
  ConversationWithMessages,
  MessageOfSide,
  MessageView,
} from '#domain/conversations/conversation-view.ts'
import type { Holder } from '#domain/people/share.ts'
import { keepPhoto } from '#storage/intake.ts'
import type { Upload } from '#storage/uploads.ts'

type Start = Omit<NewConversation, 'photo'> & { photo: Upload | undefined }

/**
 * Begins a conversation: first the files of its photo, then its rows and the mail to the code's user.
 * Returns the URL of the finder's page. No later answer contains it.
 */
export async function startConversation(
  deps: ActionDeps,
  { photo, ...start }: Start,
): Promise<{ conversation_url: string }> {
  const { db, files, secretKey } = deps
  const rules = { ...writingRules(deps), secretKey }
  // Checked before an image is drawn too.
  const keepsPhoto = photo && (await assertMayStart(db, start, rules)).keepsPhoto
  const kept = keepsPhoto ? await keepPhoto(files, photo) : undefined
  const stored_names = Object.values(kept ?? {})
  const { token, isPhotoLeft } = await orRemove(deps, stored_names, () =>
    insertConversation(db, { ...start, photo: kept }, rules, aboutFinders(deps)),
  )
  if (isPhotoLeft) await removeStoredFiles(deps, { stored_names })
  return { conversation_url: await conversationUrl(deps, start.qrId, token) }
}

/** Returns the URL of the finder's page of a conversation about a code. */
export async function conversationUrl(
  { db, config, clock }: Pick<ActionDeps, 'db' | 'config' | 'clock'>,
  qrId: string,
  token: string,
): Promise<string> {
  const account_id = await findUserOfCode(db, qrId)
  const about = account_id && { qr_id: qrId, account_id }
  const address = about && (await resolveTalkAddress(db, about, clock()))
  return `${address || config.publicUrl}/c/${token}`
}

/** Stores an owner's answer, and mails it to a finder who asked for mails. */
export async function answerAsOwner(
  deps: ActionDeps,
  viewer: answers.Person,
  id: string,
  answer: answers.OwnersAnswer,
  mayMail: MayMail,
): Promise<MessageOfSide> {
  const notify = aboutOwners(deps, await finderMailBrand(deps, viewer, id), mayMail)
  return answers.answerAsOwner(deps.db, viewer, id, answer, writingRules(deps), notify)
}

/** Stores a finder's answer, and mails the code's user unless the conversation is muted. */
export function answerAsFinder(
  deps: ActionDeps,
  answer: answers.FindersAnswer,
): Promise<MessageView> {
  return answers.answerAsFinder(deps.db, answer, writingRules(deps), aboutFinders(deps))
}

/** Sets the status of a conversation. `returned` mails the finder too. */
export async function setConversationStatus(
  deps: ActionDeps,
  viewer: answers.Person,
  id: string,
  status: ConversationStatus,
  mayMail: MayMail,
): Promise<ConversationWithMessages> {
  const mailBrand = status === 'returned' ? await finderMailBrand(deps, viewer, id) : undefined
  const notify = aboutOwners(deps, mailBrand, mayMail)
  return changes.setConversationStatus(deps.db, viewer, id, status, writingRules(deps), notify)
}

/** Ends a conversation for its finder, and removes the data that they shared, with the photo's files. */
export async function stopConversation(deps: ActionDeps, token: string): Promise<void> {
  await removeStoredFiles(deps, await endings.stopConversation(deps.db, token, deps.clock()))
}

/** Deletes a conversation of the account, the photo's files too. */
export async function deleteConversation(
  deps: ActionDeps,
  viewer: Holder,
  id: string,
): Promise<void> {
  const removed = await endings.deleteConversation(deps.db, viewer, id, deps.clock())
  await removeStoredFiles(deps, removed)
}
