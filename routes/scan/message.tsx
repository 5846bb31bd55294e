import { Hono } from 'hono'
import { isPageToken, makePageToken } from '#actions/conversations/page-token.ts'
import { MessagePage, NoMessages } from '#components/conversations/message-page.tsx'
import type { ScannedCode } from '#db/scans/scan-path.ts'
import { randomToken } from '#db/secrets.ts'
import { userOfCode } from '#domain/conversations/rules.ts'
import type { ErrorKind } from '#domain/error.ts'
import { toScanView } from '#domain/scans/public-scan.ts'
import { canMessage, isOfSomebody, scanState } from '#domain/scans/scan.ts'
import { preferredRegion } from '#locales/languages.ts'
import { formatRefusal } from '#locales/refusal.ts'
import { setBranding } from '#routes/_http/brands/page-brand.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { keepFinderBrowser } from '#routes/_http/conversations/sender.ts'
import { type NotStarted, startFromRequest } from '#routes/_http/conversations/start.ts'
import { leadToUsersHost } from '#routes/_http/conversations/users-host.ts'
import { type Form, setRefusal } from '#routes/_http/forms.ts'
import { setLocale } from '#routes/_http/language.ts'
import { resolveScan } from '#routes/_http/scans/scans.ts'
import { answerContact, renderFinder } from '#routes/scan/_finder-page.tsx'

/** Message owner, complete without script. */
export const message = new Hono<AppEnv>()

message.get('/:qr_id/message', (c) =>
  answerContact(c, (code) => {
    if (!canMessage(code)) return renderNone(c, code)
    leadToUsersHost(c, userOfCode(code))
    // A browser that keeps the form can show it again with its values after the network failed.
    c.header('Cache-Control', 'private, no-cache')
    return renderForm(c, code, FRESH)
  }),
)

message.post('/:qr_id/message', async (c) => {
  const started = await startFromRequest(c, undefined, isChange)
  if ('conversation_url' in started) {
    const { pathname } = new URL(started.conversation_url)
    return c.redirect(pathname, 303)
  }
  if (started.refusal) setRefusal(c, started.refusal)
  const { code, ...branding } = await resolveScan(c)
  setBranding(c, branding)
  const isOpen = code && hasContact(code) && canMessage(code)
  return isOpen ? renderForm(c, code, started) : renderNone(c, code, started)
})

const FRESH: NotStarted = { refusal: undefined, field: undefined, values: {}, hadPhoto: false }

/** The buttons for another language and against the location send nothing to the owner. */
function isChange({ lang, remove }: Form): boolean {
  return Boolean(lang || remove)
}

/** Checks whether finders of a code see how to reach somebody. */
function hasContact(code: ScannedCode): boolean {
  return isOfSomebody(scanState(code, { accountId: undefined, preview: false }))
}

/** Renders the page of a code without messages, with the typed text so that it is not lost. */
async function renderNone(
  c: AppContext,
  code: ScannedCode | undefined,
  sent: NotStarted = FRESH,
): Promise<Response> {
  const { refusal, values } = sent
  const words = await setLocale(c, values.lang)
  const isThere = code !== undefined && hasContact(code)
  const { none, noneText } = words.message
  const said = isThere
    ? { title: none, text: noneText }
    : { title: words.scan.notFound, text: words.scan.notFoundText }
  if (!refusal) c.status(404)
  const options = { page: 'message', title: said.title } as const
  const qrId = isThere ? code.qr_id : undefined
  return renderFinder(c, options, <NoMessages {...{ words, qrId, ...said, typed: values }} />)
}

/** Renders the form with the typed values, and with the refusal if there is one. */
async function renderForm(c: AppContext, code: ScannedCode, sent: NotStarted): Promise<Response> {
  const { refusal, field, hadPhoto } = sent
  const { remove, form_key = randomToken(), ...values } = sent.values
  const words = await setLocale(c, values.lang)
  const { secretKey, clock, config } = c.var.deps
  const now = clock()
  const view = toScanView(code, {
    words,
    timezone: config.timezone,
    region: preferredRegion(c.req.header('Accept-Language')),
  })
  const token = isPageToken(secretKey, code.qr_id, values.page_token, now)
    ? values.page_token
    : makePageToken(secretKey, code.qr_id, now)
  keepFinderBrowser(c)
  c.header('Permissions-Policy', 'camera=(), microphone=(), geolocation=(self), payment=()')
  const page = {
    words,
    view,
    action: `/scan/${code.qr_id}/message`,
    token,
    form_key,
    values: remove ? withoutLocation(values) : values,
    hadPhoto,
    photoScript: c.var.deps.assets.finderScripts.photo,
    refusal: refusal && {
      field: field ?? photoField(refusal.kind),
      message: formatRefusal(words, refusal.refusal),
      showsWays: refusal.kind === 'too_many' || refusal.kind === 'forbidden',
    },
  }
  const title = words.scan.messageOwner
  const options = { page: 'message', title, script: 'message' } as const
  return renderFinder(c, options, <MessagePage {...page} />)
}

function photoField(code: ErrorKind): 'photo' | undefined {
  return code === 'too_large' || code === 'unsupported' ? 'photo' : undefined
}

function withoutLocation({ latitude, longitude, accuracy, ...values }: Record<string, string>) {
  return values
}
