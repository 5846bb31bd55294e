import { Hono } from 'hono'
import { MessagePage, NoMessages } from '#components/conversations/message-page.tsx'
import type { ScannedCode } from '#db/scans/scan-path.ts'
import { DomainError, type ErrorCode } from '#domain/error.ts'
import { sayRefusal } from '#domain/languages/say.ts'
import { toScanView } from '#domain/scans/public-scan.ts'
import { canMessage } from '#domain/scans/scan.ts'
import { isPageToken, makePageToken } from '#routes/_http/conversations/page-token.ts'
import { type NotStarted, startFromRequest } from '#routes/_http/conversations/start.ts'
import type { AppContext, AppEnv } from '#routes/_http/deps.ts'
import { STATUS } from '#routes/_http/errors.tsx'
import type { Form } from '#routes/_http/forms.ts'
import { speak, wordsOf } from '#routes/_http/language.ts'
import { sayWhenAgain } from '#routes/_http/refusal.ts'
import { findScannedCode } from '#routes/_http/scans/scans.ts'
import { findContact, renderFinder } from '#routes/scan/_finder-page.tsx'

/** Message owner, complete without script. */
export const message = new Hono<AppEnv>()

message.get('/:qr_id/message', async (c) => {
  const code = await findMessaged(c)
  if (code instanceof Response) return code
  // A form that is kept can be gone back to with what was typed, when the network failed.
  c.header('Cache-Control', 'private, no-cache')
  return renderForm(c, code, FRESH)
})

message.post('/:qr_id/message', async (c) => {
  const started = await startFromRequest(c, undefined, isChange).catch(unlessNotFound)
  if (started && 'conversation_url' in started) {
    const { pathname } = new URL(started.conversation_url)
    return c.redirect(pathname, 303)
  }
  const code = started ? await findScannedCode(c) : undefined
  if (started && code) return renderForm(c, code, started)
  const answer = await findMessaged(c)
  return answer instanceof Response ? answer : renderForm(c, answer, FRESH)
})

const FRESH: NotStarted = { refusal: undefined, field: undefined, values: {}, hadPhoto: false }

/** The buttons for another language and against the location send nothing to the owner. */
function isChange({ lang, remove }: Form): boolean {
  return Boolean(lang || remove)
}

function unlessNotFound(error: unknown): undefined {
  if (!(error instanceof DomainError) || error.code !== 'not_found') throw error
}

async function findMessaged(c: AppContext): Promise<ScannedCode | Response> {
  const code = await findContact(c)
  if (code instanceof Response) return code
  const { qr_id } = code
  if (canMessage(code)) return code
  const words = wordsOf(c)
  const options = { page: 'message', title: words.message.none, status: 404 } as const
  return renderFinder(c, options, <NoMessages words={words} qrId={qr_id} />)
}

/** The form with what was typed, and why it was refused unless only the form itself was to change. */
async function renderForm(c: AppContext, code: ScannedCode, sent: NotStarted): Promise<Response> {
  const { refusal, field, hadPhoto } = sent
  const { remove, ...values } = sent.values
  const words = await speak(c, values.lang)
  const { secretKey, clock, config } = c.var.deps
  const now = clock()
  const view = toScanView(code, { words, timezone: config.timezone })
  const token = isPageToken(secretKey, code.qr_id, values.page_token, now)
    ? values.page_token
    : makePageToken(secretKey, code.qr_id, now)
  sayWhenAgain(c, refusal)
  c.header('Permissions-Policy', 'camera=(), microphone=(), geolocation=(self), payment=()')
  const page = {
    words,
    view,
    action: `/scan/${code.qr_id}/message`,
    token,
    values: remove ? withoutLocation(values) : values,
    hadPhoto,
    refusal: refusal && {
      field: field ?? photoField(refusal.code),
      message: sayRefusal(words, refusal.message),
      showsWays: refusal.code === 'too_many' || refusal.code === 'forbidden',
    },
  }
  const status = refusal ? STATUS[refusal.code] : 200
  const title = words.scan.messageOwner
  const options = { page: 'message', title, status, script: 'message' } as const
  return renderFinder(c, options, <MessagePage {...page} />)
}

function photoField(code: ErrorCode): 'photo' | undefined {
  return code === 'too_large' || code === 'unsupported' ? 'photo' : undefined
}

function withoutLocation({ latitude, longitude, accuracy, ...values }: Record<string, string>) {
  return values
}
