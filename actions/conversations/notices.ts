import { resolveMailBrand } from '#actions/brands/brands.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { type MayMail, mailOrigin, once } from '#actions/mail.ts'
import type { QueuedAlert } from '#db/alerts/alerting.ts'
import { beginEscalation, listSteps, type Turn } from '#db/alerts/escalation.ts'
import { listPeopleOf, type People, type Person } from '#db/alerts/people.ts'
import { resolveAccountBrand, resolveTalkAddress } from '#db/brands/resolve-brand.ts'
import { fromFlag, secondsAfter, toInstant } from '#db/cast.ts'
import {
  addToBundle,
  hasAnswered,
  listAnswerers,
  waitsForBundle,
} from '#db/conversations/bundles.ts'
import { findCodeOf, knownIdOf, THING_OF_OTHERS } from '#db/conversations/code-user.ts'
import { listMessages, type NewMessage } from '#db/conversations/messages.ts'
import { notifyAlso, notifySide } from '#db/conversations/notices.ts'
import { getOwnConversation } from '#db/conversations/seen-conversations.ts'
import { conversationToken } from '#db/conversations/tokens.ts'
import type { Notify } from '#db/outbox.ts'
import { hashToken, sameHash } from '#db/secrets.ts'
import { isEmail } from '#domain/accounts/contact.ts'
import { NOTICE_EVERY_SECONDS } from '#domain/conversations/rules.ts'
import type { Holder } from '#domain/people/share.ts'
import { loadCatalogue } from '#locales/catalogue.ts'
import { asAlert, type WrittenAlert } from '#mail/alerts.ts'
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
export async function finderMailBrand(deps: ActionDeps, viewer: Holder, id: string) {
  const { db, clock } = deps
  const found = await getOwnConversation(db, viewer, id, { mayBeDeleted: true })
  if (!isMailed(deps, found.reply_to)) return undefined
  const { brand } = await resolveAccountBrand(db, found.account_id, clock())
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
  const of = await listPeopleOf(trx, conversation, now)
  if (deps.config.rateLimits && (await waitsForBundle(trx, message, now))) {
    return bundleAlert(deps, trx, conversation, of)
  }
  const { id } = conversation
  const { atOnce, later } = await listTurns(trx, conversation, of)
  const soon = toInstant(secondsAfter(now, NOTICE_EVERY_SECONDS))
  let isTold = false
  const about = { conversationId: id, side: 'owner', n } as const
  await notifySide(trx, about, now, async ({ firstN, dueAt }) => {
    const code = await findCodeOf(trx, conversation)
    const queued = await alertEach(deps, trx, readersOf(conversation, atOnce), of, {
      dueAt,
      write: async (person, accountId) => {
        const messages = await listMessages(trx, id, { from: 'finder', since: firstN(accountId) })
        return writeNews(deps, conversation, code, messages, person)
      },
    })
    isTold = queued !== undefined && queued.dueAt <= soon
    return queued
  })
  await beginEscalation(trx, id, later, secondsAfter(now, isTold ? (of.minutes ?? 0) * 60 : 0))
}

/** Tells a person at their turn of the finder's messages since the last answer. */
export function aboutTurns(deps: ActionDeps): Notify<Turn> {
  return async (trx, { conversation, person }) => {
    const messages = await listMessages(trx, conversation.id)
    const answered = messages.findLastIndex(({ from }) => from === 'owner')
    const code = await findCodeOf(trx, conversation)
    const alert = writeNews(deps, conversation, code, messages.slice(answered + 1), person)
    const { accountId, shareId } = person
    const to = { accountId, shareId, isAlwaysMailed: true }
    const about = { conversationId: conversation.id, side: 'owner', n: answered + 2 } as const
    return notifyAlso(trx, about, (causeId) => deps.outbox.alert(trx, { ...to, ...alert, causeId }))
  }
}

/**
 * Returns the people who hear of a message at once: all, if there is no order or somebody may be hurt, or else those
 * with At once, those who have answered and those whose turn has come. The turns of `later` are still to be planned.
 */
async function listTurns(trx: Trx, { id, reason }: Conversation, { people, minutes }: People) {
  if (minutes === null || reason === 'accident' || people.length === 0) {
    return { atOnce: people, later: [] }
  }
  const steps = await listSteps(trx, id)
  const told = steps.filter(({ state }) => state === 'told').map(({ account_id }) => account_id)
  const involved = [...told, ...(await listAnswerers(trx, id))]
  const isFirst = ({ isAtOnce, accountId }: Person) => isAtOnce || involved.includes(accountId)
  return {
    atOnce: people.filter(isFirst),
    later: steps.length > 0 ? [] : people.filter((person) => !isFirst(person)),
  }
}

type Reader = { accountId: string; person?: Person }

function readersOf({ account_id }: Conversation, people: Person[]): Reader[] {
  return [
    { accountId: account_id },
    ...people.map((person) => ({ accountId: person.accountId, person })),
  ]
}

type Written = {
  dueAt: (channelId: string | null, accountId: string) => string
  write: (person: Person | undefined, accountId: string) => Promise<WrittenAlert> | WrittenAlert
}

/** Alerts the code's user and people of the same. Returns the alert that is due first. */
async function alertEach(
  { outbox }: ActionDeps,
  trx: Trx,
  readers: Reader[],
  { minutes }: People,
  { dueAt, write }: Written,
): Promise<QueuedAlert | undefined> {
  let first: QueuedAlert | undefined
  for (const { accountId, person } of readers) {
    const queued = await outbox.alert(trx, {
      accountId,
      ...(person && { shareId: person.shareId, isAlwaysMailed: minutes !== null }),
      ...(await write(person, accountId)),
      dueAt: (channelId) => dueAt(channelId, accountId),
      causeId: first?.causeId,
    })
    if (queued && (!first || queued.dueAt < first.dueAt)) first = queued
  }
  return first
}

type Code = Awaited<ReturnType<typeof findCodeOf>>

function writeNews(
  deps: ActionDeps,
  conversation: Conversation,
  code: Code,
  messages: { text: string }[],
  person: Person | undefined,
): WrittenAlert {
  const { id, reason, reply_to, show_contact } = conversation
  const url = `${deps.config.publicUrl}/dashboard?tab=messages&conversation=${id}`
  const texts = messages.map(({ text }) => text)
  const letter = finderWroteMail({
    ...conversation,
    ...mailOrigin(deps),
    ...namesOf(conversation, code),
    person,
    thing: code?.thing ?? THING_OF_OTHERS,
    url,
    reply_to: fromFlag(show_contact) ? reply_to : null,
    hasLocation: conversation.latitude !== null,
    hasPhoto: conversation.photo_name !== null,
    texts,
  })
  const isUrgent = isUrgentNews(reason, code)
  const shown = { event: 'message', url, isUrgent, qr_id: code?.qr_id ?? null } as const
  return asAlert(letter, { ...shown, ...wroteText(texts) })
}

function namesOf(conversation: Conversation, code: Code) {
  return {
    qr_id: knownIdOf(conversation, code !== undefined),
    vehicle_registration: code?.vehicle_registration ?? null,
    owner_name: code?.owner_name ?? null,
  }
}

/** Returns whether a message near a blocked sender sends no alert: the owner has not answered it, and nobody is hurt. */
async function isUnwanted(trx: Trx, { id, reason }: NewMessage['conversation']): Promise<boolean> {
  return reason !== 'accident' && !(await hasAnswered(trx, id))
}

type Conversation = NewMessage['conversation']

function isUrgentNews(reason: Conversation['reason'], code: Code): boolean {
  return reason === 'accident' || Boolean(code?.lost_since)
}

/** Tells everybody of a message together with the others about its code. */
async function bundleAlert(
  deps: ActionDeps,
  trx: Trx,
  conversation: Conversation,
  of: People,
): Promise<void> {
  const code = await findCodeOf(trx, conversation)
  const isNews = isUrgentNews(conversation.reason, code)
  await addToBundle(trx, conversation, isNews, deps.clock(), ({ messages, isUrgent, dueAt }) => {
    const url = `${deps.config.publicUrl}/dashboard?tab=messages`
    const shown = { event: 'message', url, isUrgent, qr_id: code?.qr_id ?? null } as const
    const named = { ...mailOrigin(deps), ...namesOf(conversation, code), url, messages }
    return alertEach(deps, trx, readersOf(conversation, of.people), of, {
      dueAt: () => dueAt,
      write: (person) => asAlert(moreMessagesMail({ ...named, person }), shown),
    })
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
