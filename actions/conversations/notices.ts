import type { ActionDeps } from '#actions/deps.ts'
import { mailOrigin, once } from '#actions/mail.ts'
import { fromFlag } from '#db/cast.ts'
import { findCodeOf } from '#db/conversations/code-user.ts'
import { mailSide } from '#db/conversations/mails.ts'
import { listMessages, type NewMessage } from '#db/conversations/messages.ts'
import { conversationToken } from '#db/conversations/tokens.ts'
import type { Notify } from '#db/outbox.ts'
import { hashToken, sameHash } from '#db/secrets.ts'
import { isEmail } from '#domain/accounts/contact.ts'
import { en } from '#domain/languages/en.ts'
import { finderWroteMail, ownerAnsweredMail } from '#mail/conversations.ts'

type Trx = Parameters<Notify<NewMessage>>[0]

/** Whether one more mail may go to an address that was typed and not verified. */
export type MayMail = (address: string) => boolean

/** Mails the code's user that a finder wrote, unless the conversation is muted. */
export function aboutFinders(deps: ActionDeps): Notify<NewMessage> {
  return (trx, message) => mailOwner(deps, trx, message)
}

/** Mails the finder that the code's user answered, if the finder asked for it. */
export function aboutOwners(deps: ActionDeps, mayMail: MayMail): Notify<NewMessage> {
  const mayMailOnce = once(mayMail)
  return (trx, message) => mailFinder(deps, trx, message, mayMailOnce)
}

async function mailOwner(deps: ActionDeps, trx: Trx, { conversation, n }: NewMessage) {
  if (fromFlag(conversation.is_muted) || !deps.outbox.isOpen) return
  const { id, account_id, reply_to, show_contact, photo_name, latitude } = conversation
  const about = { conversationId: id, side: 'owner', n } as const
  await mailSide(trx, about, deps.clock(), async ({ firstN, dueAt }) => {
    const messages = await listMessages(trx, id, { from: 'finder', since: firstN })
    const code = await findCodeOf(trx, conversation)
    const mail = finderWroteMail({
      ...conversation,
      ...mailOrigin(deps),
      vehicle_registration: code?.vehicle_registration ?? null,
      owner_name: code?.owner_name ?? null,
      url: `${deps.config.publicUrl}/dashboard?tab=messages&conversation=${id}`,
      reply_to: fromFlag(show_contact) ? reply_to : null,
      hasLocation: latitude !== null,
      hasPhoto: photo_name !== null,
      texts: messages.map(({ text }) => text),
    })
    return deps.outbox.putTo(trx, { accountId: account_id, ...mail, dueAt })
  })
}

async function mailFinder(
  deps: ActionDeps,
  trx: Trx,
  { conversation, n }: NewMessage,
  mayMail: MayMail,
) {
  const { id, reply_to, token_hash } = conversation
  if (!reply_to || !isEmail(reply_to) || !deps.outbox.isOpen) return
  const token = conversationToken(deps.secretKey, id)
  if (!sameHash(hashToken(token), token_hash)) {
    deps.log.warn({ conversation: id }, 'no mail to the finder: the secret key is another one')
    return
  }
  const url = `${deps.config.publicUrl}/c/${token}`
  const mail = ownerAnsweredMail({ words: en, ...mailOrigin(deps), url })
  const about = { conversationId: id, side: 'finder', n } as const
  await mailSide(trx, about, deps.clock(), async ({ dueAt, isOneMore }) => {
    if (isOneMore && !mayMail(reply_to)) return undefined
    return deps.outbox.put(trx, { to: reply_to, ...mail, dueAt })
  })
}
