import { secondsAfter, toFlag, toInstant } from '#db/cast.ts'
import type { Db, Trx } from '#db/client.ts'
import { assertNotBlocked } from '#db/conversations/blocks.ts'
import { noteChanges } from '#db/conversations/changes.ts'
import { findUserOfCode } from '#db/conversations/code-user.ts'
import { assertMayBegin, keepsPhoto } from '#db/conversations/limits.ts'
import { addMessage, type NewMessage } from '#db/conversations/messages.ts'
import { conversationToken } from '#db/conversations/tokens.ts'
import type { Notify } from '#db/outbox.ts'
import type { FinderConversationRow } from '#db/schema.ts'
import { hashToken, keyedId, randomId, type SecretKey } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { qrNotFound } from '#domain/codes/qr-id.ts'
import { type FirstMessage, firstLineOf } from '#domain/conversations/message.ts'
import { AGAIN_SECONDS } from '#domain/conversations/rules.ts'
import type { Sender } from '#domain/conversations/sender.ts'
import type { Lang } from '#locales/languages.ts'

/** The stored files of a photo. */
export type KeptPhoto = { photo_name: string; photo_thumbnail_name: string }

export type NewConversation = {
  qrId: string
  /** the replaced id of the page, if the finder writes from such a page */
  replacedId?: string | undefined
  message: FirstMessage
  photo: KeptPhoto | undefined
  sender: Sender
  /** of the page on which the finder writes */
  lang: Lang
  /** a random text of the page's form */
  formKey?: string | undefined
}

export type WritingRules = {
  secretKey: SecretKey
  now: Date
  /** false without rate limits */
  isLimited: boolean
}

/**
 * Throws not_found for a code whose finders can write to nobody, forbidden for a blocked sender, and
 * too_many. `startConversation` checks the same.
 */
export async function assertMayStart(
  db: Db | Trx,
  { qrId, sender, message }: Pick<NewConversation, 'qrId' | 'sender' | 'message'>,
  { now, isLimited }: Pick<WritingRules, 'now' | 'isLimited'>,
): Promise<{ accountId: string; isNearBlocked: boolean; keepsPhoto: boolean }> {
  const accountId = await findUserOfCode(db, qrId)
  if (!accountId) throw qrNotFound()
  const { isNearBlocked } = await assertNotBlocked(db, { accountId, sender }, now)
  if (isLimited) await assertMayBegin(db, { qrId, sender, reason: message.reason }, now)
  return { accountId, isNearBlocked, keepsPhoto: !isLimited || (await keepsPhoto(db, qrId, now)) }
}

type Started = {
  id: string
  token: string
  /** whether its photo is of no use: it was there already, or the code has got too many */
  isPhotoLeft: boolean
}

/**
 * Begins a conversation between a finder and the code's user with its first message. The token of the
 * finder's page is in this answer alone. The same form with the same words, sent again within 5 minutes
 * because its answer was lost, finds its conversation: the owner's answer must not come to a page that
 * nobody has. Throws the errors of `assertMayStart`.
 */
export async function startConversation(
  db: Db,
  start: NewConversation,
  { secretKey, ...rules }: WritingRules,
  notify: Notify<NewMessage>,
): Promise<Started> {
  const { now } = rules
  const ofForm = idOfForm(secretKey, start)
  return inTransaction(db, async (trx) => {
    const earlier = ofForm && (await findStarted(trx, ofForm, now))
    const id = ofForm && earlier !== 'over' ? ofForm : randomId()
    const token = conversationToken(secretKey, id)
    if (earlier === 'begun') return { id, token, isPhotoLeft: true }
    const { accountId, isNearBlocked, keepsPhoto } = await assertMayStart(trx, start, rules)
    const kept = keepsPhoto ? start : { ...start, photo: undefined }
    const conversation = { ...toRow(kept, accountId, now), id, token_hash: hashToken(token) }
    await trx.insertInto('conversations').values(conversation).execute()
    const { text } = start.message
    const { n } = await addMessage(trx, id, { from: 'finder', kind: 'text', text }, now)
    await noteChanges(trx, [conversation], now)
    await notify(trx, { conversation, from: 'finder', n, isNearBlocked })
    return { id, token, isPhotoLeft: !keepsPhoto }
  })
}

function idOfForm(key: SecretKey, { qrId, message, formKey }: NewConversation): string | undefined {
  if (!formKey) return undefined
  return keyedId(key, 'first message', qrId, formKey, JSON.stringify(message))
}

/** Finds a conversation that was begun just now. After its end or later, the same text begins another one. */
async function findStarted(trx: Trx, id: string, now: Date): Promise<'begun' | 'over' | undefined> {
  const row = await trx
    .selectFrom('conversations')
    .select(['created_at', 'ended_at', 'status'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const isNew = row.created_at > toInstant(secondsAfter(now, -AGAIN_SECONDS))
  return isNew && !row.ended_at && row.status === 'open' ? 'begun' : 'over'
}

function toRow(
  { qrId, replacedId, message, photo, sender, lang }: NewConversation,
  accountId: string,
  now: Date,
): Omit<FinderConversationRow, 'id' | 'token_hash'> {
  const { text, show_contact, ...fields } = message
  return {
    kind: 'finder',
    qr_id: qrId,
    replaced_id: replacedId ?? null,
    subject: null,
    ticket_number: null,
    account_id: accountId,
    status: 'open',
    is_muted: toFlag(false),
    is_unread: toFlag(true),
    is_deleted: toFlag(false),
    first_line: firstLineOf(text),
    ...fields,
    show_contact: toFlag(show_contact),
    photo_name: photo?.photo_name ?? null,
    photo_thumbnail_name: photo?.photo_thumbnail_name ?? null,
    sender_hash: sender.addresses[0] ?? null,
    browser_hash: sender.browser ?? null,
    network_hash: sender.networks[0] ?? null,
    created_at: toInstant(now),
    last_message_at: toInstant(now),
    closed_at: null,
    ended_at: null,
    blocked_at: null,
    lang,
  }
}
