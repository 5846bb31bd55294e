import { startConversation } from '#actions/conversations/conversations.ts'
import { findUserOfCode } from '#db/conversations/code-user.ts'
import { randomToken } from '#db/secrets.ts'
import { parseQrId, qrNotFound } from '#domain/codes/qr-id.ts'
import { type MessageProblem, readFirstMessage } from '#domain/conversations/message.ts'
import { DomainError } from '#domain/error.ts'
import { IMAGE_FILES } from '#domain/papers/file-kind.ts'
import { clientAddress } from '#routes/_http/client-address.ts'
import { assertPageToken } from '#routes/_http/conversations/page-token.ts'
import { senderHashesOf } from '#routes/_http/conversations/sender.ts'
import { type AppContext, loggedDeps } from '#routes/_http/deps.ts'
import { type Form, isMultipart, readForm } from '#routes/_http/forms.ts'
import { bodyOf } from '#routes/_http/papers/uploads.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import { type Upload, withForm } from '#storage/uploads.ts'

/** A field that people do not see. Who fills it in is a program that fills in forms. */
export const HONEYPOT = 'website'

type Fields = Record<string, unknown>

export type Started =
  | { conversation_url: string }
  /** `field` is undefined for what is wrong with none of them; `values` are as they were typed */
  | { refusal: DomainError; field: MessageProblem['field'] | undefined; values: Form }

/** The code in the path, if finders can write about it. Throws not_found. */
export async function getMessagedCode(c: AppContext): Promise<string> {
  limit(c, 'scan')
  const qrId = parseQrId(c.req.param('qr_id') ?? '')
  if (qrId && (await findUserOfCode(c.var.deps.db, qrId))) return qrId
  limit(c, 'unknown')
  throw qrNotFound()
}

/**
 * Begins a conversation about the code in the path with what the request's form says, photo included,
 * or with `fields` that were read already. A refusal says what was typed. Throws not_found.
 */
export async function startFromRequest(c: AppContext, fields?: Fields): Promise<Started> {
  const qrId = await getMessagedCode(c)
  const values: Form = Object.create(null)
  try {
    if (fields) return await start(c, qrId, fields, undefined)
    if (!isMultipart(c)) {
      Object.assign(values, (await readForm(c)).form)
      return await start(c, qrId, values, undefined)
    }
    const sent = { headers: c.req.raw.headers, body: bodyOf(c), account: clientAddress(c) }
    return await withForm(c.var.deps.files, IMAGE_FILES, { ...sent, fields: values }, (form) => {
      const { file_name } = form
      return start(c, qrId, values, file_name ? { ...form, file_name } : undefined)
    })
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'not_found') throw error
    return { refusal: error, field: undefined, values }
  }
}

async function start(
  c: AppContext,
  qrId: string,
  fields: Fields,
  photo: Upload | undefined,
): Promise<Started> {
  const { config, secretKey, clock } = c.var.deps
  // It gets the answer of a success, and nothing is stored.
  if (fields[HONEYPOT]) return { conversation_url: `${config.publicUrl}/c/${randomToken()}` }
  const { message, problem } = readFirstMessage(fields)
  if (problem) {
    const refusal = new DomainError('invalid', problem.message)
    return { refusal, field: problem.field, values: fields as Form }
  }
  assertPageToken(secretKey, qrId, fields.page_token, clock())
  return startConversation(loggedDeps(c), {
    qrId,
    message,
    photo,
    senderHashes: senderHashesOf(c),
  })
}
