import { randomId } from '#db/secrets.ts'
import { PASSWORD } from '#tests/support/app.ts'
import { newEmail, newMobile, PIN, type Things } from '#tests/support/things.ts'
import { fileForm, PDF, picture } from '#tests/support/uploads.ts'

export type Sent = { method: string; path: string; json?: object; form?: object; body?: FormData }

/** Calls whose code must have a PIN. */
const PINNED = ['POST /api/scan/{qr_id}/unlock', 'POST /scan/:qr_id']

const WAY_BACK = ['GET /way-back/:token', 'POST /way-back/:token']
const HELD = ['POST /api/qr/{qr_id}/undo-claim', 'POST /dashboard/qr/:qr_id/undo-claim']
/** Calls whose code must be unclaimed. */
const BLANK = ['POST /api/qr/{qr_id}/activation', 'POST /dashboard/qr/:qr_id/activation']
/** Calls of finders about a code, or with a token of their conversation. */
const MESSAGED = /^\w+ (\/api\/scan\/{qr_id}\/messages?|\/scan\/:qr_id\/message)$/
const OF_FINDER = /^\w+ \/c\/:token/
const TRANSFERRED = ['DELETE /api/qr/{qr_id}/transfer', 'POST /dashboard/qr/:qr_id/transfer/cancel']
/** Calls of a transfer's recipient. */
const OF_RECIPIENT = /^\w+ \/(api\/)?transfers?\//
const TAKEN = ['GET /take/:token', 'POST /take/:token']
const INVITED = /^\w+ \/invite\//
/** Calls of an invited person. */
const OF_PERSON = /^\w+ \/(api\/people\/invitations\/|invite\/:token\/decline)/

/** The kind of thing an `id` in a path names, by the first matching pattern. */
const IDS: [RegExp, keyof Things][] = [
  [/^GET \/api\/documents\//, 'code'],
  [/^\w+ \/(api|dashboard)\/documents\//, 'document'],
  [/^\w+ \/(api|dashboard)\/gallery\/shares/, 'share'],
  [/^\w+ \/dashboard\/gallery\//, 'document'],
  [/^\w+ \/(api|dashboard)\/popup-images/, 'image'],
  [/^\w+ \/(api\/subscription|dashboard)\/upgrade\//, 'upgrade'],
  [/^\w+ \/(api|settings)\/api-keys/, 'key'],
  [/\/passkeys/, 'passkey'],
  [/\/sessions/, 'session'],
  [/\/notifications\/(channels\/{id}\/deliveries|webhooks)/, 'webhook'],
  [/\/notifications\/channels/, 'channel'],
  [/^\w+ \/dashboard\/password-requests/, 'resetRequest'],
  [/^\w+ \/dashboard\/guardian/, 'ward'],
  [/^\w+ \/api\/account\/export/, 'exported'],
  [/^\w+ \/(api\/conversations|dashboard\/messages)\//, 'conversation'],
  [/^\w+ \/(api\/admin|admin|admin-dashboard)\/support\//, 'theirTicket'],
  [/^\w+ \/(api|settings)\/support\//, 'ticket'],
  [/^\w+ \/(api|dashboard|admin-dashboard)\/reports\//, 'report'],
  [/^\w+ \/(api|settings)\/people\/({id}|:id)\/link/, 'personInvitation'],
  [/^\w+ \/settings\/people\/:id\/leave/, 'helped'],
  [/^\w+ \/(api|settings)\/people\//, 'person'],
  [/^\w+ \/api\/shared\//, 'helped'],
  [/redemption/, 'redemption'],
  [/promo-codes/, 'promo'],
  [/invitations/, 'invitation'],
  [/messages/, 'message'],
  [/users/, 'someone'],
  [/upgrade-requests/, 'theirUpgrade'],
]

const NAMED: Record<string, keyof Things> = {
  qr_id: 'code',
  doc_id: 'document',
  delivery_id: 'delivery',
  name: 'file',
  token: 'shareToken',
  calendar: 'calendar',
  number: 'receipt',
  file: 'receipt',
}

const contact = { owner_name: 'Asha Patil', contact_phone: '9876543210' }
const child = { name: 'Gurleen', contact_type: 'email', password: PASSWORD }
/** An address by number, which no name server is asked for. */
const WEBHOOK = { type: 'webhook', url: 'http://93.184.216.34/alerts' }
const ticket = { subject: 'Labels', text: 'They print too low.' }
const BRAND = { brand_name: 'Neel', colour: '#0f4c96' }
const newDomain = () => `${randomId().replaceAll(/\W|_/g, '').toLowerCase()}.example`
const message = { title: 'Closed', content: 'Until Monday' }
const pdf = (fields: Record<string, string>) => fileForm(PDF, { document_type: 'puc', ...fields })
const table = () => fileForm(Buffer.from('owner_name,contact_phone\nAsha Patil,9876543210\n'))
let image: Promise<Buffer> | undefined
const png = async () => {
  image ??= picture()
  return fileForm(await image)
}
const newPromo = () => ({ code: `N${randomId().replaceAll(/\W|_/g, '')}`, usage_limit: 1 })
const permission = async (t: Things) => ({
  user_id: await t.someone(),
  permission_type: 'moderator',
  expires_at: null,
})
const choice = async (t: Things) => `?ids=${await t.code()}`

type Extra = Omit<Sent, 'method' | 'path'> & { query?: string }

/**
 * The payload or query with which a call succeeds for permitted callers. Other calls send the example of
 * their JSON body.
 */
const EXTRAS: Record<string, (t: Things) => Extra | Promise<Extra>> = {
  'POST /api/auth/send-otp': () => ({ json: { email: newEmail() } }),
  'POST /api/auth/verify-otp': async (t) => ({ json: await t.registration() }),
  'POST /api/auth/login': async (t) => ({
    json: { contact: await t.member(), password: PASSWORD },
  }),
  'POST /api/auth/send-login-otp': () => ({ json: { contact: newEmail() } }),
  'POST /api/auth/login-otp': async (t) => ({ json: await t.otpLogin() }),
  'POST /api/auth/forgot-password': () => ({ json: { contact: newEmail() } }),
  'POST /api/auth/reset-password': async (t) => ({
    json: { token: await t.resetToken(), password: PASSWORD },
  }),
  'POST /api/client/password-reset-approve': async (t) => ({
    json: { request_id: await t.resetRequest(), action: 'reject' },
  }),
  'POST /api/scan/{qr_id}/messages': async (t) => ({ json: await t.firstMessage() }),
  'POST /scan/:qr_id/message': async (t) => ({ form: await t.firstMessage() }),
  'POST /scan/:qr_id/report': () => ({ form: { reason: 'spam' } }),
  'POST /c/:token': () => ({ form: { text: 'I wait here.' } }),
  // Unlike the example, this sends the finder a mail.
  'PUT /api/conversations/{id}/status': () => ({ json: { status: 'returned' } }),
  'POST /settings/support': () => ({ form: ticket }),
  'POST /settings/support/:id/answer': () => ({ form: { text: 'Since Monday.' } }),
  'POST /settings/support/:id/status': () => ({ form: { status: 'closed' } }),
  'POST /admin/support/:id/answer': () => ({ form: { text: 'We see it.' } }),
  'POST /admin/support/:id/status': () => ({ form: { status: 'closed' } }),
  'POST /admin-dashboard/support/:id/answer': () => ({ form: { text: 'We see it.' } }),
  'POST /admin-dashboard/support/:id/status': () => ({ form: { status: 'closed' } }),
  'POST /invite/:token': () => ({ form: { name: 'Ravi Menon', password: PASSWORD } }),
  'POST /admin-dashboard/invitations': () => ({ form: { email: newEmail() } }),
  'POST /api/people': () => ({ json: { email: newEmail(), role: 'member', scope: 'all' } }),
  'POST /settings/people': () => ({ form: { email: newEmail(), role: 'member', scope: 'all' } }),
  'POST /settings/people/:id': () => ({ form: { role: 'viewer', scope: 'all' } }),
  'POST /api/people/invitations/{token}/accept': () => ({
    json: { name: 'Meera', password: PASSWORD },
  }),
  'POST /transfer/:token': () => ({ form: contact }),
  'POST /api/qr/bulk-create': () => ({ json: { quantity: 1 } }),
  'POST /api/qr/child-create': () => ({ json: { quantity: 1 } }),
  'POST /api/qr/import': () => ({ body: table() }),
  'POST /api/qr/bulk': async (t) => ({
    json: { ids: [await t.code()], action: 'deactivate' },
  }),
  'GET /api/qr/labels.pdf': async (t) => ({ query: await choice(t) }),
  'GET /api/qr/codes.zip': async (t) => ({ query: await choice(t) }),
  'POST /api/qr/claim': async (t) => ({ json: { ...contact, qr_id: await t.unclaimed() } }),
  'POST /api/qr/child-register': async (t) => ({
    json: { ...child, contact: newEmail(), qr_id: await t.unregistered() },
  }),
  'POST /api/documents/upload/{qr_id}': () => ({ body: pdf({}) }),
  'POST /dashboard/documents/:id/end': () => ({ form: { expires_on: '2027-05-21' } }),
  'POST /api/gallery/share/{doc_id}': () => ({ json: { share_method: 'whatsapp' } }),
  'POST /api/popup-images/upload': async () => ({ body: await png() }),
  'PUT /api/branding/logo': async () => ({ body: await png() }),
  'GET /api/branding/domain': async (t) => ({ query: (await t.domain()) && '' }),
  'POST /api/branding/domain': () => ({ json: { domain: newDomain() } }),
  'POST /api/branding/domain/verify': async (t) => ({ query: (await t.domain()) && '' }),
  'DELETE /api/branding/domain': async (t) => ({ query: (await t.domain()) && '' }),
  'GET /settings/branding/preview': () => ({ query: '?page=police' }),
  'POST /settings/branding': () => ({ form: BRAND }),
  'POST /settings/branding/logo': async () => ({ body: await png() }),
  'POST /settings/branding/domain': () => ({ form: { domain: newDomain() } }),
  'POST /settings/branding/domain/verify': async (t) => ({ query: (await t.domain()) && '' }),
  'POST /settings/branding/domain/remove': async (t) => ({ query: (await t.domain()) && '' }),
  'GET /internal/tls-check': async (t) => ({ query: `?domain=${await t.verifiedDomain()}` }),
  'DELETE /api/subscription/upgrade': async (t) => ({ query: (await t.upgrade()) && '' }),
  'POST /api/subscription/upgrade/{id}/screenshot': async () => ({ body: await png() }),
  'POST /api/subscription/redeem-code': async (t) => ({ json: { code: await t.promoText() } }),
  'POST /api/promo/redeem': async (t) => ({ json: { promo_code: await t.promoText() } }),
  'POST /api/notifications/channels': () => ({ json: WEBHOOK }),
  'POST /settings/notifications': () => ({ form: { shown: 'email', 'scan.email': 'on' } }),
  'POST /settings/notifications/channels': () => ({ form: WEBHOOK }),
  'POST /api/account/deletion': async (t) => ({ json: { email: await t.ownEmail() } }),
  'DELETE /api/account/deletion': async (t) => ({ json: { token: await t.deletionToken() } }),
  'POST /settings/data/deletion': async (t) => ({ form: { email: await t.ownEmail() } }),
  'PATCH /api/account': () => ({ json: { name: 'Asha Kale', mobile: newMobile() } }),
  'POST /api/account/confirm/options': async (t) => ({ query: (await t.passkey()) && '' }),
  'POST /api/account/passkeys': async (t) => ({
    json: { name: 'Phone', ...(await t.madePasskey()) },
  }),
  'POST /settings/security/passkeys': async (t) => ({
    form: { name: 'Phone', passkey: JSON.stringify(await t.madePasskey()) },
  }),
  'POST /settings/security/passkeys/:id/name': () => ({ form: { name: 'Phone' } }),
  'POST /api/auth/passkey/verify': async (t) => ({ json: await t.passkeySignIn() }),
  'POST /api/auth/second-factor': async (t) => ({ json: await t.secondFactor() }),
  'POST /api/account/totp/verify': async (t) => ({ json: { code: await t.appCode() } }),
  'DELETE /api/account/totp': async (t) => ({ query: (await t.app()) && '' }),
  'POST /api/account/recovery-codes': async (t) => ({ query: (await t.app()) && '' }),
  'POST /settings/security/authenticator/verify': async (t) => ({
    form: { code: await t.appCode() },
  }),
  'POST /settings/security/authenticator/remove': async (t) => ({ query: (await t.app()) && '' }),
  'POST /settings/security/recovery-codes': async (t) => ({ query: (await t.app()) && '' }),
  'POST /api/account/email': () => ({ json: { email: newEmail() } }),
  'POST /api/account/email/verify': async (t) => ({ json: { otp: await t.emailOtp() } }),
  'POST /settings/profile': () => ({ form: { name: 'Asha Kale' } }),
  'POST /settings/profile/mobile': () => ({ form: { mobile: newMobile() } }),
  'POST /settings/profile/email': () => ({ form: { email: newEmail() } }),
  'POST /settings/profile/email/verify': async (t) => ({ form: { otp: await t.emailOtp() } }),
  'POST /settings/security/password': () => ({ form: { password: PASSWORD } }),
  'POST /confirm': () => ({ form: { held: 'none', password: PASSWORD } }),
  'POST /api/admin/promo-codes': () => ({ json: { ...newPromo(), subscription_plan: 'premium' } }),
  'PUT /api/admin/messages/{id}/text': () => ({ json: { ...message, lang: 'hi' } }),
  'POST /api/admin/users/permissions': async (t) => ({ json: await permission(t) }),
  'POST /dashboard/qr': () => ({ form: contact }),
  'POST /dashboard/qr/:qr_id': () => ({
    form: { ...contact, updated_at: '2026-11-01T09:00:00.000Z' },
  }),
  'POST /dashboard/qr/:qr_id/lost': () => ({ form: { lost: '1', note: 'Red strap' } }),
  'POST /dashboard/qr/activation/labels.pdf': async (t) => ({
    form: { codes: await t.activated() },
  }),
  'POST /dashboard/qr/activation/codes.csv': async (t) => ({
    form: { codes: await t.activated() },
  }),
  'POST /dashboard/qr/:qr_id/transfer': () => ({ form: { email: newEmail() } }),
  'POST /dashboard/qr/bulk': () => ({ form: { quantity: '1' } }),
  'POST /dashboard/qr/child': () => ({ form: { quantity: '1' } }),
  'POST /dashboard/qr/import': () => ({ body: table() }),
  'POST /dashboard/qr/chosen': async (t) => ({
    form: { codes: await t.code(), action: 'deactivate' },
  }),
  'POST /dashboard': async (t) => ({ form: { select: '1', ids: await t.code() } }),
  'GET /dashboard/qr/labels.pdf': async (t) => ({ query: await choice(t) }),
  'POST /dashboard/qr/labels.pdf': async (t) => ({ form: { ids: await t.code() } }),
  'GET /dashboard/qr/:qr_id/image': () => ({ query: '?format=svg&size=10' }),
  'POST /dashboard/reports/:id': () => ({ form: { action: 'dismiss' } }),
  'POST /admin-dashboard/reports/:id': () => ({ form: { action: 'dismiss' } }),
  'POST /dashboard/messages/:id/answer': () => ({ form: { text: 'I am coming now' } }),
  'POST /dashboard/messages/:id/status': () => ({ form: { status: 'closed' } }),
  'POST /dashboard/messages/:id/mute': () => ({ form: { muted: 'true' } }),
  'POST /dashboard/messages/:id/report': () => ({ form: { reason: 'spam' } }),
  'POST /dashboard/documents/upload': async (t) => ({
    body: pdf({ qr_id: await t.code() }),
  }),
  'POST /dashboard/documents/:id/share': () => ({ form: { share_method: 'whatsapp' } }),
  'POST /dashboard/gallery/:id/share': () => ({ form: { share_method: 'whatsapp' } }),
  'POST /dashboard/password-requests/:id': () => ({ form: { action: 'reject' } }),
  'POST /dashboard/password-reset': async (t) => {
    await t.resetQuestion()
    return { form: { answer: 'yes' } }
  },
  'POST /dashboard/popup-images/upload': async () => ({ body: await png() }),
  'POST /dashboard/upgrade/:id/screenshot': async () => ({ body: await png() }),
  'POST /dashboard/upgrade/take-back': async (t) => ({ query: (await t.upgrade()) && '' }),
  'POST /dashboard/upgrade/redeem': async (t) => ({ form: { code: await t.promoText() } }),
  'POST /settings/notifications/webhooks/:id': () => ({
    form: { url: `http://93.184.216.34/${newEmail()}` },
  }),
  'POST /dashboard/notice': () => ({ form: { version: '1' } }),
  'POST /settings/api-keys': () => ({ form: { name: 'Key', papers: 'on' } }),
  'GET /claim': async (t) => ({ query: `?qr=${await t.unclaimed()}` }),
  'POST /claim': async (t) => ({ query: `?qr=${await t.unclaimed()}`, form: contact }),
  'GET /child-register': async (t) => ({ query: `?qr=${await t.unregistered()}` }),
  'POST /child-register': async (t) => ({
    query: `?qr=${await t.unregistered()}`,
    form: { ...child, contact: newEmail(), confirm_password: PASSWORD, adult: 'yes' },
  }),
  'POST /scan/:qr_id': () => ({ form: { pin: PIN } }),
  'POST /login': async (t) => ({
    query: '?mode=password',
    form: { contact: await t.member(), password: PASSWORD },
  }),
  'GET /reset-password': async (t) => ({ query: `?token=${await t.resetToken()}` }),
  'POST /reset-password': async (t) => ({
    form: { token: await t.resetToken(), password: PASSWORD, confirm_password: PASSWORD },
  }),
  'POST /admin/promo-codes': () => ({ form: { ...newPromo(), subscription_plan: 'premium' } }),
  'POST /admin/promo-codes/redemptions/:id': () => ({ form: { action: 'approve' } }),
  'POST /admin-dashboard/promo-codes/redemptions/:id': () => ({ form: { action: 'approve' } }),
  'POST /admin/messages': () => ({ form: message }),
  'POST /admin/messages/:id/text': () => ({ form: { ...message, lang: 'hi' } }),
  'POST /admin-dashboard/promo-codes': () => ({
    form: { ...newPromo(), child_qr_quantity: '1' },
  }),
  'POST /admin-dashboard/users/:id/permissions': () => ({ form: { permission_type: 'client' } }),
  'POST /api/admin/upgrade-requests/{id}/approve': () => ({ json: { payment_seen: true } }),
  'POST /admin-dashboard/upgrade-requests/:id': () => ({
    form: { action: 'approve', payment_seen: 'on' },
  }),
}

/** The request of a call, made with these things. */
export async function callOn(things: Things, call: string): Promise<Sent> {
  const [method = '', pattern = ''] = call.split(' ')
  const example = { json: things.examples().get(call) }
  const { query = '', ...extra }: Extra = (await EXTRAS[call]?.(things)) ?? example
  let path = pattern
  for (const [written = '', , name] of pattern.matchAll(/({(\w+)}|:\w+)/g)) {
    const thing = thingFor(call, name ?? written.slice(1))
    if (!thing) throw new Error(`Nothing is known to stand for ${written} in ${call}`)
    path = path.replace(written, String(await things[thing]()))
  }
  return { method, path: path + query, ...extra }
}

function thingFor(call: string, param: string): keyof Things | undefined {
  if (PINNED.includes(call)) return 'pinned'
  if (HELD.includes(call)) return 'held'
  if (BLANK.includes(call)) return 'blank'
  if (TAKEN.includes(call)) return 'takeToken'
  if (OF_PERSON.test(call)) return 'personToken'
  if (INVITED.test(call)) return 'inviteToken'
  if (TRANSFERRED.includes(call)) return 'transferred'
  if (OF_RECIPIENT.test(call)) return 'transferToken'
  if (WAY_BACK.includes(call)) return 'wayBack'
  if (MESSAGED.test(call)) return 'messaged'
  if (OF_FINDER.test(call)) return 'conversationToken'
  return param === 'id' ? IDS.find(([start]) => start.test(call))?.[1] : NAMED[param]
}
