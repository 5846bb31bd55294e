import { resolveMailBrand } from '#actions/brands/brands.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { type MayMail, mailOrigin, once } from '#actions/mail.ts'
import { resolveAccountBrand, resolveTalkAddress } from '#db/brands/resolve-brand.ts'
import { fromFlag } from '#db/cast.ts'
import { addToBundle, hasAnswered, waitsForBundle } from '#db/conversations/bundles.ts'
import { findCodeOf, knownIdOf, THING_OF_OTHERS } from '#db/conversations/code-user.ts'
import { getOwnConversation } from '#db/conversations/conversations.ts'
import { listMessages, type NewMessage } from '#db/conversations/messages.ts'
import { notifySide } from '#db/conversations/notices.ts'
import { conversationToken } from '#db/conversations/tokens.ts'
import type { Notify } from '#db/outbox.ts'
import { hashToken, sameHash } from '#db/secrets.ts'
import { isEmail } from '#domain/accounts/contact.ts'
import { loadCatalogue } from '#locales/catalogue.ts'
import { asAlert } from '#mail/alerts.ts'
import {
  finderWroteMail,
  moreMessagesMail,
  ownerAnsweredMail,
  wroteText,
} from '#mail/conversations.ts'

type Trx = Parameters<Notify<NewMessage>>[0]

/**
 * Alerts the code's user that a finder wrote, unless the conversation is muted. Of a code that gets many messages
 * they are told together.
 */
export function aboutFinders(deps: ActionDeps): Notify<NewMessage> {
  return (trx, message) => alertOwner(deps, trx, message)
}

/**
 * Mails the finder, in the language they wrote in, that the code's user answered, if they asked for it.
 * `mailBrand` is the result of `finderMailBrand`.
 */
export function aboutOwners(
  deps: ActionDeps,
  mailBrand: FinderMailBrand,
  mayMail: MayMail,
): Notify<NewMessage> {
  const mayMailOnce = once(mayMail)
  return (trx, message) => mailFinder(deps, trx, message, mailBrand, mayMailOnce)
}

type FinderMailBrand = Awaited<ReturnType<typeof finderMailBrand>>

/** Returns the brand of a mail to a finder. Call it before the transaction, because scans wait for that. */
export async function finderMailBrand(deps: ActionDeps, accountId: string, id: string) {
  const { db, clock } = deps
  const found = await getOwnConversation(db, accountId, id, { mayBeDeleted: true })
  if (!isMailed(deps, found.reply_to)) return undefined
  const { brand } = await resolveAccountBrand(db, accountId, clock())
  return resolveMailBrand(deps, { brand, address: await resolveTalkAddress(db, found, clock()) })
}

function isMailed({ outbox }: ActionDeps, replyTo: string | null): replyTo is string {
  return outbox.isOpen && replyTo !== null && isEmail(replyTo)
}

async function alertOwner(deps: ActionDeps, trx: Trx, message: NewMessage) {
  const { conversation, n, isNearBlocked } = message
  if (fromFlag(conversation.is_muted)) return
  if (isNearBlocked && (await isUnwanted(trx, conversation))) return
  const now = deps.clock()
  if (deps.config.rateLimits && (await waitsForBundle(trx, message, now))) {
    return bundleAlert(deps, trx, conversation)
  }
  const { id, account_id: accountId, reason, reply_to, show_contact } = conversation
  const about = { conversationId: id, side: 'owner', n } as const
  await notifySide(trx, about, now, async ({ firstN, dueAt }) => {
    const messages = await listMessages(trx, id, { from: 'finder', since: firstN })
    const code = await findCodeOf(trx, conversation)
    const url = `${deps.config.publicUrl}/dashboard?tab=messages&conversation=${id}`
    const texts = messages.map(({ text }) => text)
    const letter = finderWroteMail({
      ...conversation,
      ...mailOrigin(deps),
      qr_id: knownIdOf(conversation, code !== undefined),
      vehicle_registration: code?.vehicle_registration ?? null,
      owner_name: code?.owner_name ?? null,
      thing: code?.thing ?? THING_OF_OTHERS,
      url,
      reply_to: fromFlag(show_contact) ? reply_to : null,
      hasLocation: conversation.latitude !== null,
      hasPhoto: conversation.photo_name !== null,
      texts,
    })
    const isUrgent = isUrgentNews(reason, code)
    const shown = { event: 'message', url, isUrgent, qr_id: code?.qr_id ?? null } as const
    const alert = asAlert(letter, { ...shown, ...wroteText(texts) })
    return deps.outbox.alert(trx, { accountId, ...alert, dueAt })
  })
}

/** Returns whether a message near a blocked sender sends no alert: the owner has not answered it, and nobody is hurt. */
async function isUnwanted(trx: Trx, { id, reason }: NewMessage['conversation']): Promise<boolean> {
  return reason !== 'accident' && !(await hasAnswered(trx, id))
}

type Conversation = NewMessage['conversation']

function isUrgentNews(
  reason: Conversation['reason'],
  code: Awaited<ReturnType<typeof findCodeOf>>,
): boolean {
  return reason === 'accident' || Boolean(code?.lost_since)
}

/** Tells of a message together with the others about its code. */
async function bundleAlert(deps: ActionDeps, trx: Trx, conversation: Conversation): Promise<void> {
  const { account_id: accountId, reason } = conversation
  const code = await findCodeOf(trx, conversation)
  const isNews = isUrgentNews(reason, code)
  await addToBundle(trx, conversation, isNews, deps.clock(), ({ messages, isUrgent, dueAt }) => {
    const named = {
      qr_id: knownIdOf(conversation, code !== undefined),
      vehicle_registration: code?.vehicle_registration ?? null,
      owner_name: code?.owner_name ?? null,
    }
    const url = `${deps.config.publicUrl}/dashboard?tab=messages`
    const letter = moreMessagesMail({ ...mailOrigin(deps), ...named, url, messages })
    const alert = asAlert(letter, { event: 'message', url, isUrgent, qr_id: code?.qr_id ?? null })
    return deps.outbox.alert(trx, { accountId, ...alert, dueAt: () => dueAt })
  })
}

async function mailFinder(
  deps: ActionDeps,
  trx: Trx,
  { conversation, n }: NewMessage,
  mailBrand: FinderMailBrand,
  mayMail: MayMail,
) {
  const { id, reply_to, token_hash, lang } = conversation
  if (!mailBrand || !isMailed(deps, reply_to)) return
  const token = conversationToken(deps.secretKey, id)
  if (!sameHash(hashToken(token), token_hash)) {
    deps.log.warn({ conversation: id }, 'no mail to the finder: the secret key is another one')
    return
  }
  const { brand, publicUrl, site } = mailBrand
  const url = `${publicUrl}/c/${token}`
  const words = await loadCatalogue(lang)
  const mail = ownerAnsweredMail({ words, site, url, brand })
  const about = { conversationId: id, side: 'finder', n } as const
  await notifySide(trx, about, deps.clock(), async ({ dueAt: dueFor, isOneMore }) => {
    if (isOneMore && !mayMail(reply_to)) return undefined
    const dueAt = dueFor(null)
    const causeId = await deps.outbox.put(trx, { to: reply_to, ...mail, dueAt })
    return causeId ? { causeId, dueAt } : undefined
  })
}
