import { conversationUrl, startConversation } from '#actions/conversations/conversations.ts'
import { assertPageToken } from '#actions/conversations/page-token.ts'
import { findUserOfCode } from '#db/conversations/code-user.ts'
import { randomToken } from '#db/secrets.ts'
import { mailboxOf } from '#domain/accounts/contact.ts'
import { qrNotFound } from '#domain/codes/qr-id.ts'
import { HONEYPOT, type MessageProblem, readFirstMessage } from '#domain/conversations/message.ts'
import { DomainError } from '#domain/error.ts'
import { PHOTO_FILES } from '#domain/papers/file-kind.ts'
import { bodyOf } from '#routes/_http/bodies.ts'
import { type PageBranding, setBranding } from '#routes/_http/brands/page-brand.ts'
import { clientAddress } from '#routes/_http/client-address.ts'
import { type AppContext, loggedDeps } from '#routes/_http/context.ts'
import { senderOfRequest } from '#routes/_http/conversations/sender.ts'
import { isUsersHost } from '#routes/_http/conversations/users-host.ts'
import { type Form, isMultipart, readForm } from '#routes/_http/forms.ts'
import { wordsOf } from '#routes/_http/language.ts'
import { limit, takeTry } from '#routes/_http/rate-limits.ts'
import { currentId, resolveScan } from '#routes/_http/scans/scans.ts'
import { type Upload, withForm } from '#storage/uploads.ts'

type Fields = Record<string, unknown>

export type Started = { conversation_url: string } | NotStarted

export type NotStarted = {
  /** undefined for a form that was only to change */
  refusal: DomainError | undefined
  /** undefined for a problem that is in no field */
  field: MessageProblem['field'] | undefined
  /** as they were typed */
  values: Form
  /** a photo came along */
  hadPhoto: boolean
}

/** The id in the path, and the one that its code has now; they differ when it was replaced. */
type Messaged = { pathId: string; qrId: string; branding: PageBranding }

/** Returns the code in the path, by its present or a replaced id, if finders can write about it. Throws not_found. */
export async function getMessagedCode(c: AppContext): Promise<Messaged> {
  limit(c, 'scan')
  const { code, ...branding } = await resolveScan(c)
  const userId = code && (await findUserOfCode(c.var.deps.db, currentId(code)))
  if (code && userId && isUsersHost(branding, userId)) {
    return { pathId: code.qr_id, qrId: currentId(code), branding }
  }
  limit(c, 'unknown')
  throw qrNotFound()
}

/**
 * Begins a conversation about the code in the path by the form of the request, photo included, or by
 * `fields` that were read already. A refusal contains the typed values. `isChange` recognises a form that
 * only asks for another view of itself.
 */
export async function startFromRequest(
  c: AppContext,
  fields?: Fields,
  isChange: (values: Form) => boolean = () => false,
): Promise<Started> {
  const values: Form = Object.create(null)
  let hadPhoto = false
  const kept = (refusal?: DomainError, field?: MessageProblem['field']): NotStarted => {
    return { refusal, field, values, hadPhoto }
  }
  const begin = async (sent: Fields, photo?: Upload): Promise<Started> => {
    // After the form, so that a refusal of too many look-ups contains the typed values.
    const { pathId, qrId, branding } = await getMessagedCode(c)
    setBranding(c, branding)
    if (isChange(values)) return kept()
    const read = readFirstMessage(sent)
    // It gets the answer of a success, and nothing is stored.
    if (sent[HONEYPOT]) {
      return { conversation_url: await conversationUrl(c.var.deps, qrId, randomToken()) }
    }
    if (read.problem) {
      const { refusal, field } = read.problem
      return kept(new DomainError(refusal), field)
    }
    const { secretKey, clock } = c.var.deps
    assertPageToken(secretKey, pathId, sent.page_token, clock())
    const { message } = read
    const { lang } = wordsOf(c)
    const replacedId = pathId === qrId ? undefined : pathId
    // Only the page's form has a key, because a program may send the same words twice.
    const formKey = values.form_key
    const sender = senderOfRequest(c)
    const start = { qrId, replacedId, message, photo, sender, lang, formKey }
    return startConversation(loggedDeps(c), start)
  }
  try {
    if (fields) return await begin(fields)
    if (!isMultipart(c)) {
      Object.assign(values, (await readForm(c)).form)
      return await begin(values)
    }
    const sent = {
      headers: c.req.raw.headers,
      body: bodyOf(c),
      account: clientAddress(c),
      name: 'photo',
      fields: values,
      onFile: () => {
        hadPhoto = true
      },
    }
    return await withForm(c.var.deps.files, PHOTO_FILES, sent, ({ file_name, ...form }) => {
      return begin(values, file_name ? { ...form, file_name } : undefined)
    })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return kept(error)
  }
}

/** Limits mails to finders: the holder of a code can be the finder too, and name another person's address. */
export function mayMailFinder(c: AppContext): (address: string) => boolean {
  return (address) =>
    !takeTry(c, 'answer-mail') && !takeTry(c, ['answer-mail-contact', mailboxOf(address)])
}
