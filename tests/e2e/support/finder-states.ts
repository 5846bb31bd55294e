import { invitePath } from '#actions/accounts/invitations.ts'
import { insertAccount } from '#db/accounts/accounts.ts'
import { createSessions } from '#db/accounts/sessions.ts'
import { COMMAND_LINE } from '#db/admin/audit-events.ts'
import type { Db } from '#db/client.ts'
import { hashPin } from '#db/codes/pins.ts'
import { conversationToken } from '#db/conversations/tokens.ts'
import { invite } from '#db/invitations/invitations.ts'
import { hashToken, loadSecretKey, randomId, randomToken } from '#db/secrets.ts'
import { freshEmail } from '#tests/e2e/support/fresh.ts'
import { openDatabaseOf, type RunningServer } from '#tests/e2e/support/server.ts'
import { insertCode } from '#tests/support/codes.ts'
import { CHILD, UNCLAIMED } from '#tests/support/families.ts'
import { insertInvitation } from '#tests/support/people.ts'
import { insertConversation } from '#tests/support/stored-conversations.ts'
import { fileForm, PDF } from '#tests/support/uploads.ts'

const WEEK = { expires_at: new Date(Date.now() + 604_800_000).toISOString() }
const FULL = {
  owner_name: 'Ramesh Vishwanath Kulkarni',
  email: 'ramesh@example.in',
  city_area: 'Kothrud, Pune',
  vehicle_registration: 'MH12QX4827',
  vehicle_make_model: 'Maruti Suzuki Swift VXi',
  emergency_contact_name: 'Sunita Kulkarni',
  emergency_contact_phone: '+919000012345',
  blood_group: 'AB+',
  public_message: 'Thank you for scanning! Please call me.',
  driving_license_number: 'MH1220110012345',
} as const
const LOST = {
  lost_since: '2026-11-18T08:00:00.000Z',
  lost_note: 'Three keys on a red strap.',
  lost_reward: '₹2,000',
}
const TALK = [
  { text: 'They were on the counter.' },
  { sender: 'owner', text: 'I am coming now' },
  { sender: 'owner', kind: 'number', text: '+919876543210' },
] as const

/** A page that people without an account meet. */
export type FinderState = {
  name: string
  path: string
  /** whether its form is sent with nothing typed in, which is refused */
  isSent?: boolean
  /** of the reader's session */
  cookie?: string
}

/**
 * Every page for people without an account, in all its states, on a server of the test's own: the
 * last one shows a message to all finders.
 */
export async function makeFinderStates(server: RunningServer): Promise<FinderState[]> {
  const { db, close } = await openDatabaseOf(server)
  const key = loadSecretKey(server.dataDir)
  const account = { name: FULL.owner_name, email: freshEmail(), password_hash: null }
  const owner = await insertAccount(db, account, new Date())
  const { bearerToken } = await createSessions(db, () => new Date()).start(owner)
  const insert = async (fields: Parameters<typeof insertCode>[2] = {}) => {
    const { qr_id } = await insertCode(db, owner.id, { ...FULL, ...fields })
    return qr_id
  }
  const talk = async (qr_id: string, fields: object = {}) => {
    const id = randomId()
    const token = conversationToken(key, id)
    const stored = { id, token_hash: hashToken(token), place: 'Gate 2', messages: [...TALK] }
    const location = { latitude: 18.5074, longitude: 73.8077, accuracy: 12 }
    const of = { account_id: owner.id, qr_id }
    await insertConversation(db, of, { ...stored, ...location, ...fields })
    return `/c/${token}`
  }
  const call = async (path: string, body: object | FormData) => {
    const isForm = body instanceof FormData
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${bearerToken}`,
        ...(!isForm && { 'Content-Type': 'application/json' }),
      },
      body: isForm ? body : JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return answer.json()
  }

  const code = await insert()
  await db
    .updateTable('qr_codes')
    .set({ pin_hash: hashPin(key, code, '4829') })
    .where('qr_id', '=', code)
    .execute()
  const papers: Record<string, string>[] = [
    { document_type: 'rc_book', document_side: 'front', is_public: 'true' },
    { document_type: 'fitness_certificate', is_public: 'true' },
  ]
  for (const sent of papers) {
    await call(`/api/documents/upload/${code}`, fileForm(PDF, sent, 'registration.pdf'))
  }
  const relay = await insert({ contact_mode: 'relay' })
  const child = await insert(CHILD)
  const user = { name: 'Gurleen Kaur', contact: '9814012345', contact_type: 'mobile' }
  const registered = await insert(CHILD)
  const password = { password: 'first horse', confirm_password: 'first horse' }
  await call('/api/qr/child-register', { qr_id: registered, ...user, ...password })
  const waiting = await insert(CHILD)
  const minor = { ...user, contact: '9814054321', adult: false }
  await call('/api/qr/child-register', { qr_id: waiting, ...minor, ...password })
  await call('/api/qr/forgot-password', { qr_id: registered, contact: user.contact })
  const request = await db.selectFrom('password_reset_requests').select('id').executeTakeFirst()
  const { reset_url } = await call('/api/client/password-reset-approve', {
    request_id: request?.id,
    action: 'approve',
  })
  const { pathname, search } = new URL(reset_url)
  const unclaimed = await insert(UNCLAIMED)
  const activated = await insert(UNCLAIMED)
  await call(`/api/qr/${activated}/activation`, {})
  const replaced = await insert()
  await call(`/api/qr/${replaced}/replace`, {})
  const held = await insert(UNCLAIMED)
  const claim = { qr_id: held, owner_name: 'Farhan', contact_phone: '9845012345' }
  const answer = await fetch(`${server.url}/api/qr/claim`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(claim),
  })
  const { take_url } = await answer.json()
  const buyer = await sellTo(db, code)
  const newInvitation = { email: freshEmail(), wasMailed: true }
  const transfer = `/transfer/${buyer.token}`
  const message = { id: 'm', title: 'Thank you for helping', content: 'Be safe on the road' }
  const lost = await insert(LOST)
  const open = await talk(relay)
  const invited = await invite(db, newInvitation, COMMAND_LINE, new Date(), async () => {})
  const helped = await insertInvitation(db, owner.id, freshEmail(), new Date(), WEEK)
  const states: FinderState[] = [
    { name: 'scan', path: `/scan/${code}?seen=1` },
    { name: 'scan-pin', path: `/scan/${code}`, isSent: true },
    { name: 'menu', path: `/scan/${code}?seen=1&lang=` },
    { name: 'relay', path: `/scan/${relay}?seen=1` },
    { name: 'lost', path: `/scan/${lost}?seen=1` },
    { name: 'unregistered', path: `/scan/${child}?seen=1` },
    { name: 'waiting', path: `/scan/${waiting}?seen=1` },
    { name: 'replaced', path: `/scan/${replaced}?seen=1` },
    { name: 'not-found', path: '/scan/000000000011' },
    { name: 'sample', path: '/scan/DEMO?seen=1' },
    { name: 'message', path: `/scan/${relay}/message` },
    { name: 'message-refused', path: `/scan/${relay}/message`, isSent: true },
    { name: 'no-messages', path: `/scan/${held}/message` },
    { name: 'conversation', path: open },
    { name: 'conversation-refused', path: open, isSent: true },
    { name: 'stop', path: `${open}?stop=1` },
    { name: 'closed', path: await talk(relay, { status: 'closed' }) },
    { name: 'returned', path: await talk(relay, { status: 'returned' }) },
    { name: 'ended', path: '/c/x' },
    { name: 'report', path: `/scan/${code}/report` },
    { name: 'report-refused', path: `/scan/${code}/report`, isSent: true },
    { name: 'reported', path: `/scan/${code}/report?sent=1` },
    { name: 'police', path: `/police/${code}` },
    { name: 'police-none', path: `/police/${relay}` },
    { name: 'claim', path: `/claim?qr=${unclaimed}` },
    { name: 'claim-refused', path: `/claim?qr=${unclaimed}`, isSent: true },
    { name: 'claim-activation', path: `/claim?qr=${activated}` },
    { name: 'claim-activation-refused', path: `/claim?qr=${activated}`, isSent: true },
    { name: 'claimed', path: `/claim?qr=${code}` },
    { name: 'claim-child', path: `/claim?qr=${child}` },
    { name: 'register', path: `/child-register?qr=${child}` },
    { name: 'register-refused', path: `/child-register?qr=${child}`, isSent: true },
    { name: 'registered', path: `/child-register?qr=${registered}` },
    { name: 'forgot', path: `/child-register?qr=${registered}&forgot=1` },
    { name: 'forgot-refused', path: `/child-register?qr=${registered}&forgot=1`, isSent: true },
    { name: 'asked', path: `/child-register?qr=${registered}&sent=1` },
    { name: 'reset', path: pathname + search },
    { name: 'reset-refused', path: pathname + search, isSent: true },
    { name: 'reset-dead', path: '/reset-password?token=x' },
    { name: 'take', path: new URL(take_url).pathname },
    { name: 'taken', path: '/take/x' },
    { name: 'invite', path: invitePath(invited.token) },
    { name: 'invite-refused', path: invitePath(invited.token), isSent: true },
    { name: 'help', path: invitePath(helped.token) },
    { name: 'help-refused', path: `${invitePath(helped.token)}?join=1`, isSent: true },
    { name: 'invite-dead', path: '/invite/x' },
    { name: 'transfer', path: transfer },
    { name: 'transfer-decided', path: '/transfer/x' },
    { name: 'transfer-offered', path: transfer, cookie: buyer.cookieToken },
    { name: 'transfer-refused', path: transfer, cookie: buyer.cookieToken, isSent: true },
    { name: 'popup', path: `/scan/${code}` },
  ]
  const row = { ...message, is_active: 1, created_at: new Date().toISOString() } as const
  await db.insertInto('admin_messages').values(row).execute()
  await close()
  return states
}

/** Hands a code over to somebody without room for it, who is signed in. */
async function sellTo(db: Db, qrId: string): Promise<{ token: string; cookieToken: string }> {
  const now = new Date()
  const email = freshEmail()
  const proven = { email, email_verified_at: now.toISOString() }
  const account = { name: 'Meenakshi Pillai', password_hash: null, ...proven }
  const buyer = await insertAccount(db, account, now)
  await insertCode(db, buyer.id)
  const { cookieToken } = await createSessions(db, () => now).start(buyer)
  const token = randomToken()
  const { id: code_id, owner_id: from_account_id } = await db
    .selectFrom('qr_codes')
    .select(['id', 'owner_id'])
    .where('qr_id', '=', qrId)
    .executeTakeFirstOrThrow()
  const expires_at = new Date(now.getTime() + 72 * 3_600_000).toISOString()
  await db
    .insertInto('transfers')
    .values({
      id: randomId(),
      code_id,
      from_account_id,
      email,
      include_documents: 1,
      token_hash: hashToken(token),
      created_at: now.toISOString(),
      expires_at,
    })
    .execute()
  return { token, cookieToken }
}
