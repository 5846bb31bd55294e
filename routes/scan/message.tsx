import { Hono } from 'hono'
import { finderWords, refusalIn } from '#components/conversations/finder-words.ts'
import { MessagePage, NoMessages } from '#components/conversations/message-page.tsx'
import { scanWords } from '#components/scans/scan-words.ts'
import type { ScannedCode } from '#db/scans/scan-path.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { DomainError, type ErrorCode } from '#domain/error.ts'
import { toScanView } from '#domain/scans/public-scan.ts'
import { canMessage } from '#domain/scans/scan.ts'
import { isPageToken, makePageToken } from '#routes/_http/conversations/page-token.ts'
import { type NotStarted, startFromRequest } from '#routes/_http/conversations/start.ts'
import type { AppContext, AppEnv } from '#routes/_http/deps.ts'
import { STATUS } from '#routes/_http/errors.tsx'
import type { Form } from '#routes/_http/forms.ts'
import { sayWhenAgain } from '#routes/_http/refusal.ts'
import { findScannedCode } from '#routes/_http/scans/scans.ts'
import { findContact, renderFinder, spokenIn } from '#routes/scan/_finder-page.tsx'

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
    return c.redirect(`${pathname}${spokenIn(c).query}`, 303)
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
  const { lang } = spokenIn(c)
  const title = finderWords[lang].noMessages
  const options = { page: 'message', lang, title, status: 404 } as const
  return renderFinder(c, options, <NoMessages lang={lang} qrId={qr_id} />)
}

/** The form with what was typed, and why it was refused unless only the form itself was to change. */
function renderForm(c: AppContext, code: ScannedCode, sent: NotStarted): Response {
  const { refusal, field, hadPhoto } = sent
  const { remove, ...values } = sent.values
  const { lang, query } = spokenIn(c, values.lang)
  const { secretKey, clock, config } = c.var.deps
  const now = clock()
  const { message: words, subject } = scanWords[lang]
  const text = words(formatQrId(code.qr_id))
  const view = toScanView(code, { lang, timezone: config.timezone, text, subject })
  const token = isPageToken(secretKey, code.qr_id, values.page_token, now)
    ? values.page_token
    : makePageToken(secretKey, code.qr_id, now)
  sayWhenAgain(c, refusal)
  c.header('Permissions-Policy', 'camera=(), microphone=(), geolocation=(self), payment=()')
  const page = {
    lang,
    view,
    action: `/scan/${code.qr_id}/message${query}`,
    token,
    values: remove ? withoutLocation(values) : values,
    hadPhoto,
    refusal: refusal && {
      field: field ?? photoField(refusal.code),
      message: refusalIn(lang, refusal, field),
      showsWays: refusal.code === 'too_many' || refusal.code === 'forbidden',
    },
  }
  const status = refusal ? STATUS[refusal.code] : 200
  const title = scanWords[lang].messageOwner
  const options = { page: 'message', lang, title, status, script: 'message' } as const
  return renderFinder(c, options, <MessagePage {...page} />)
}

function photoField(code: ErrorCode): 'photo' | undefined {
  return code === 'too_large' || code === 'unsupported' ? 'photo' : undefined
}

function withoutLocation({ latitude, longitude, accuracy, ...values }: Record<string, string>) {
  return values
}
