import { newPasskeyOptions, registerPasskey, signInOptions } from '#actions/accounts/passkeys.ts'
import { beginAuthenticator } from '#actions/accounts/second-factors.ts'
import { makePageToken } from '#actions/conversations/page-token.ts'
import { getAccount, insertAccount } from '#db/accounts/accounts.ts'
import { createApiKey } from '#db/accounts/api-keys.ts'
import { emailCodeUse, noteNewEmail } from '#db/accounts/email-changes.ts'
import { storeOneTimeCode, toOneTimeCode } from '#db/accounts/one-time-codes.ts'
import { forgetFactors } from '#db/accounts/second-factors.ts'
import { openTicket } from '#db/accounts/sign-in-tickets.ts'
import { addAdminMessage } from '#db/admin/admin-messages.ts'
import { addChannel, type ChannelView } from '#db/alerts/channels.ts'
import { secondsAfter } from '#db/cast.ts'
import { renewActivationCode } from '#db/codes/activation.ts'
import { hashPin } from '#db/codes/pins.ts'
import { replaceQrCode } from '#db/codes/replacing.ts'
import { startConversation } from '#db/conversations/conversation-start.ts'
import { createPageReport } from '#db/conversations/page-reports.ts'
import { createShareLink } from '#db/papers/share-links.ts'
import { redeemPromoCode } from '#db/plans/promo-redemptions.ts'
import { requestUpgrade } from '#db/plans/upgrade-requests.ts'
import type { Account, QrCode } from '#db/schema.ts'
import { hashPassword, hashToken, randomId, randomToken } from '#db/secrets.ts'
import { writeActivated } from '#domain/codes/activation.ts'
import { writeExport } from '#storage/exports.ts'
import { PASSWORD, type TestApp } from '#tests/support/app.ts'
import { codeOf } from '#tests/support/authenticator.ts'
import { newCaller } from '#tests/support/callers.ts'
import { insertCode } from '#tests/support/codes.ts'
import { FIRST_MESSAGE, senderFrom } from '#tests/support/conversations.ts'
import { examplesIn } from '#tests/support/examples.ts'
import { CHILD, UNCLAIMED } from '#tests/support/families.ts'
import { inviteIn } from '#tests/support/invitations.ts'
import { insertInvitation, insertShare } from '#tests/support/people.ts'
import { ACTOR, addPromoCode } from '#tests/support/promo.ts'
import { makeSoftwarePasskey } from '#tests/support/software-passkey.ts'
import { storeFile } from '#tests/support/storage.ts'
import { insertTicket } from '#tests/support/stored-tickets.ts'
import { PDF } from '#tests/support/uploads.ts'

export const PIN = '4711'

export type Things = ReturnType<typeof thingsOf>

/**
 * Things of an account that a path or a payload can name, each created on first use. `others` says what the
 * accounts are that it has to do with.
 */
export function thingsOf(
  app: TestApp,
  owner: Pick<Account, 'id' | 'email' | 'subscription_plan'>,
  others: Partial<Account> = {},
) {
  const { db, deps, dataDir } = app
  const now = () => deps.clock()
  const at = () => now().toISOString()
  const notify = async () => {}

  async function insertCodeOf(ownerId: string, fields: Partial<QrCode> = {}): Promise<string> {
    return (await insertCode(db, ownerId, fields)).qr_id
  }

  async function someone(): Promise<string> {
    const email_verified_at = at()
    const row = { name: 'Ravi Menon', email: newEmail(), email_verified_at, password_hash: null }
    return (await insertAccount(db, { ...row, ...others }, now())).id
  }

  async function insertDocument(): Promise<{ id: string; stored_name: string }> {
    const row = {
      id: randomId(),
      qr_id: await insertCodeOf(owner.id),
      account_id: owner.id,
      document_type: 'puc',
      document_side: null,
      is_public: 0,
      file_name: 'puc.pdf',
      stored_name: storedName('pdf'),
      thumbnail_name: null,
      file_size: PDF.length,
      content_type: 'application/pdf',
      uploaded_at: at(),
    } as const
    await storeFile(dataDir, row.stored_name, PDF)
    await db.insertInto('documents').values(row).execute()
    return row
  }

  async function share(): Promise<string> {
    const { id } = await insertDocument()
    const wanted = { share_method: 'download', recipient: null } as const
    const sharer = {
      viewer: { id: owner.id, parent_id: null },
      caller: await newCaller({ deps }, owner.id),
    }
    return (await createShareLink(db, sharer, id, wanted, now(), notify)).token
  }

  /** The file of the account's calendar. */
  async function calendar(): Promise<string> {
    const token = randomToken()
    const row = { token_hash: hashToken(token), token: 'sealed', created_at: at() }
    await db
      .insertInto('calendars')
      .values({ ...row, account_id: owner.id })
      .onConflict((each) => each.column('account_id').doUpdateSet(row))
      .execute()
    return `${token}.ics`
  }

  async function pinned(): Promise<string> {
    const qr_id = await insertCodeOf(owner.id)
    const pin = { pin_hash: hashPin(deps.secretKey, qr_id, PIN) }
    await db.updateTable('qr_codes').set(pin).where('qr_id', '=', qr_id).execute()
    return qr_id
  }

  /** A code claimed without an account. */
  async function held(issuerId: string): Promise<{ qr_id: string; token: string }> {
    const token = randomToken()
    const claim = { claimed_at: at(), take_token_hash: hashToken(token) }
    return { qr_id: await insertCodeOf(issuerId, claim), token }
  }

  /** A transfer of a code to an address. */
  async function transferOf(
    from_account_id: string,
    email: string,
  ): Promise<{ qr_id: string; token: string }> {
    const token = randomToken()
    const code = await insertCode(db, from_account_id)
    const parties = { code_id: code.id, from_account_id, email }
    const times = { created_at: at(), expires_at: secondsAfter(now(), 60).toISOString() }
    await db
      .insertInto('transfers')
      .values({
        id: randomId(),
        ...parties,
        include_documents: 1,
        token_hash: hashToken(token),
        ...times,
      })
      .execute()
    return { qr_id: code.qr_id, token }
  }

  async function resetToken(): Promise<string> {
    const token = randomToken()
    const row = { token_hash: hashToken(token), account_id: await someone(), used_at: null }
    const request_id = await resetRequest()
    const expires_at = secondsAfter(now(), 60).toISOString()
    await db
      .insertInto('password_reset_tokens')
      .values({ ...row, request_id, expires_at })
      .execute()
    return token
  }

  /** The OTP that test mode shows. */
  async function otp(call: string, json: object): Promise<string> {
    const answer = await app.ask('POST', `/api/auth/${call}`, { json })
    return (await answer.json()).test_otp
  }

  async function registration() {
    const email = newEmail()
    return { email, name: 'Asha', password: PASSWORD, otp: await otp('send-otp', { email }) }
  }

  async function otpLogin() {
    const contact = await member()
    return { contact, otp: await otp('send-login-otp', { contact }) }
  }

  /** The address of an account with the password PASSWORD. */
  async function member(): Promise<string> {
    const email = newEmail()
    hash ??= hashPassword(PASSWORD)
    await insertAccount(db, { name: 'Asha', email, password_hash: await hash, ...others }, now())
    return email
  }

  async function beginApp(accountId: string): Promise<string> {
    await forgetFactors(db, accountId)
    const caller = await newCaller({ deps }, accountId)
    const account = await getAccount(db, accountId)
    return (await beginAuthenticator(deps, account, caller)).secret
  }

  async function turnOn(accountId: string): Promise<string> {
    const secret = await beginApp(accountId)
    const on = { confirmed_at: at() }
    await db.updateTable('authenticators').set(on).where('account_id', '=', accountId).execute()
    return secret
  }

  /** The ticket of another account, and its code. */
  async function secondFactor() {
    const id = await someone()
    const secret = await turnOn(id)
    return { ticket: await openTicket(db, id, now()), code: codeOf(secret) }
  }

  function newKey() {
    const { origin, hostname } = new URL(deps.config.publicUrl)
    return makeSoftwarePasskey({ origin, rpId: hostname })
  }

  /** A new passkey of an account, and its id. */
  async function addPasskey(accountId: string) {
    const key = newKey()
    const account = await getAccount(db, accountId)
    const answer = key.create(await newPasskeyOptions(deps, account))
    const from = { device: 'other', browser: null } as const
    const caller = await newCaller({ deps }, accountId)
    return { key, ...(await registerPasskey(deps, caller, { name: 'Phone', answer, from })) }
  }

  /** Returns a browser's answer with a new passkey for the owner. */
  async function madePasskey() {
    const account = await getAccount(db, owner.id)
    return newKey().create(await newPasskeyOptions(deps, account))
  }

  /** The answer of another account's passkey. */
  async function passkeySignIn() {
    const { key } = await addPasskey(await someone())
    return key.get(await signInOptions(deps))
  }

  /** The code for the owner's next address. */
  async function emailOtp(): Promise<string> {
    const email = newEmail()
    const otp = '123456'
    await noteNewEmail(db, await newCaller({ deps }, owner.id), email, () => true, now())
    const code = toOneTimeCode(deps.secretKey, emailCodeUse(owner.id, email, ''), otp)
    await storeOneTimeCode(db, code, now(), notify)
    return otp
  }

  /** Returns the token of another account's earlier address. */
  async function wayBack(): Promise<string> {
    const token = randomToken()
    const row = { token_hash: hashToken(token), account_id: await someone(), email: newEmail() }
    const times = { changed_at: at(), expires_at: secondsAfter(now(), 60).toISOString() }
    await db
      .insertInto('email_ways_back')
      .values({ ...row, ...times })
      .execute()
    return token
  }

  /** Returns the token with which another account takes its deletion back. */
  async function deletionToken(): Promise<string> {
    const token = randomToken()
    const row = { account_id: await someone(), token_hash: hashToken(token), is_active: 1 } as const
    const times = { asked_at: at(), ends_at: secondsAfter(now(), 60).toISOString() }
    await db
      .insertInto('account_deletions')
      .values({ ...row, ...times })
      .execute()
    return token
  }

  async function image(): Promise<string> {
    const id = randomId()
    const row = { id, account_id: owner.id, file_name: 'a.png', stored_name: storedName('png') }
    const size = { file_size: 1, width: 1, height: 1 }
    const state = { is_active: 1, uploaded_at: at() } as const
    await db
      .insertInto('popup_images')
      .values({ ...row, ...size, ...state })
      .execute()
    return id
  }

  async function resetRequest(): Promise<string> {
    const id = randomId()
    const child_account_id = await someone()
    const qr_id = await insertCodeOf(owner.id, { ...CHILD, child_account_id })
    const state = { status: 'pending', requested_at: at(), lang: 'en' } as const
    const undecided = { processed_at: null, processed_by: null, child_answer: null }
    await db
      .insertInto('password_reset_requests')
      .values({ id, qr_id, child_account_id, ...state, ...undecided })
      .execute()
    return id
  }

  /** A child user who waits for the owner to confirm as guardian. */
  async function ward(): Promise<string> {
    const account_id = await someone()
    await db
      .updateTable('accounts')
      .set({ parent_id: owner.id })
      .where('id', '=', account_id)
      .execute()
    const qr_id = await insertCodeOf(owner.id, { ...CHILD, child_account_id: account_id })
    const { id: code_id } = await db
      .selectFrom('qr_codes')
      .select('id')
      .where('qr_id', '=', qr_id)
      .executeTakeFirstOrThrow()
    await db.insertInto('guardian_waits').values({ account_id, code_id, asked_at: at() }).execute()
    return account_id
  }

  /** A question about a reset of the owner's password; no path contains its id. */
  async function resetQuestion(): Promise<void> {
    const row = { account_id: owner.id, approved_by: 'Ravi Menon', reset_at: at() }
    await db
      .insertInto('reset_questions')
      .values({ ...row, devices_before: at(), denied_at: null })
      .execute()
  }

  async function upgradeOf(accountId: string): Promise<string> {
    const { prices } = deps.config
    return (await requestUpgrade(db, accountId, {}, prices, now())).id
  }

  /** The file of a receipt of the account. */
  async function receipt(): Promise<string> {
    const number = `R-2026-${String(Math.floor(Math.random() * 1e9)).padStart(9, '0')}`
    const row = {
      number,
      account_id: owner.id,
      account_name: 'Asha Patil',
      account_contact: 'asha@example.in',
      issued_at: at(),
      plan: 'premium',
      starts_at: at(),
      amount: 999,
      discount: 0,
      operator_name: 'DriveQR',
    } as const
    await db.insertInto('receipts').values(row).execute()
    return `${number}.pdf`
  }

  async function promo(requires_approval = false): Promise<{ id: string; code: string }> {
    const code = `P${randomId().replaceAll(/[^A-Za-z0-9]/g, '')}`.toUpperCase()
    return addPromoCode(app, { code, child_qr_quantity: 1, requires_approval })
  }

  async function redemption(): Promise<string> {
    const { code } = await promo(true)
    await redeemPromoCode(db, await someone(), code, now())
    const found = db.selectFrom('promo_redemptions').select('id').where('code', '=', code)
    return (await found.executeTakeFirstOrThrow()).id
  }

  /** Begins a conversation of the account, with a photo, about found keys, so that they can be returned. */
  async function conversation(): Promise<{ id: string; token: string }> {
    const [photo_name, photo_thumbnail_name] = [storedName('webp'), storedName('jpg')]
    for (const name of [photo_name, photo_thumbnail_name]) {
      await storeFile(dataDir, name, PDF)
    }
    const qrId = await insertCodeOf(owner.id)
    const photo = { photo_name, photo_thumbnail_name }
    const sender = { sender: senderFrom(), lang: 'en' as const }
    const start = { qrId, message: FIRST_MESSAGE, photo, ...sender }
    const rules = { secretKey: deps.secretKey, now: now(), isLimited: false }
    return startConversation(db, start, rules, notify)
  }

  let messaged: string | undefined

  /** Returns a finder's message about `messaged`. */
  async function firstMessage() {
    messaged = await insertCodeOf(await someone())
    const page_token = makePageToken(deps.secretKey, messaged, secondsAfter(now(), -5))
    return { page_token, reason: 'found', text: 'I have your keys.' }
  }

  /** Connects an address that is reserved for documentation, to which nothing is sent. */
  function connect(kind: 'ntfy' | 'webhook'): Promise<ChannelView> {
    const url = `http://192.0.2.1/${randomId()}`
    const target = kind === 'ntfy' ? { url, token: null } : { url, secret: 'whsec_c2VjcmV0' }
    const channel = { kind, name: url, address: url, target } as const
    return addChannel(db, deps.secretKey, owner.id, channel, now())
  }

  let webhookId: string | undefined

  async function webhook(): Promise<string> {
    webhookId = (await connect('webhook')).id
    return webhookId
  }

  /** Returns a delivery of the last `webhook`. */
  async function delivery(): Promise<string> {
    const id = randomId()
    const channel_id = webhookId ?? (await webhook())
    const alert = { event: 'scan', qr_id: null, created_at: at() } as const
    const state = { attempts: 1, status: 'failed', answer: 'There was no answer' } as const
    await db
      .insertInto('webhook_deliveries')
      .values({ id, channel_id, ...alert, ...state, content: 'sealed' })
      .execute()
    return id
  }

  async function domain(owned = owner.id, verified_at: string | null = null): Promise<string> {
    const name = `${randomId().replaceAll(/\W|_/g, '').toLowerCase()}.example`
    const row = { domain: name, token: 'token', created_at: at(), asked_at: null, verified_at }
    await db.deleteFrom('brand_domains').where('account_id', '=', owned).execute()
    await db
      .insertInto('brand_domains')
      .values({ account_id: owned, ...row })
      .execute()
    return name
  }

  return {
    examples: () => examplesIn(app),
    domain: () => domain(),
    verifiedDomain: async () => domain(await someone(), at()),
    channel: async () => (await connect('ntfy')).id,
    webhook,
    delivery,
    code: () => insertCodeOf(owner.id),
    firstMessage,
    /** A code of somebody else, about which `firstMessage` is. */
    messaged: async () => messaged ?? insertCodeOf(await someone()),
    conversation: async () => (await conversation()).id,
    ticket: async () => (await insertTicket(db, owner.id, { created_at: at() })).id,
    /** of another account */
    theirTicket: async () => (await insertTicket(db, await someone(), { created_at: at() })).id,
    conversationToken: async () => (await conversation()).token,
    unclaimed: async () => insertCodeOf(await someone(), UNCLAIMED),
    /** An id that a code no longer has. */
    replaced: async () => {
      const qr_id = await insertCodeOf(owner.id)
      await replaceQrCode(db, { id: owner.id, parent_id: null }, qr_id, now())
      return qr_id
    },
    blank: async () => insertCodeOf(owner.id, UNCLAIMED),
    /** An own code with its activation code, as a form sends them. */
    activated: async () => {
      const qr_id = await insertCodeOf(owner.id, UNCLAIMED)
      const by = { secretKey: app.deps.secretKey, now: now() }
      return writeActivated([
        await renewActivationCode(db, { id: owner.id, parent_id: null }, qr_id, by),
      ])
    },
    unregistered: async () => insertCodeOf(await someone(), CHILD),
    held: async () => (await held(owner.id)).qr_id,
    /** one that the account has begun */
    transferred: async () => (await transferOf(owner.id, newEmail())).qr_id,
    /** of one that somebody else has begun, to the account */
    transferToken: async () => (await transferOf(await someone(), owner.email ?? '')).token,
    inviteToken: async () => (await inviteIn(app, newEmail())).token,
    invitation: async () => (await inviteIn(app, newEmail())).id,
    /** somebody who helps the account */
    person: async () =>
      (await insertShare(db, { owner_id: owner.id, person_id: await someone() })).id,
    /** a share of another owner with the account */
    helped: async () =>
      (await insertShare(db, { owner_id: await someone(), person_id: owner.id })).id,
    personInvitation: async () => (await insertInvitation(db, owner.id, newEmail(), now())).id,
    /** of one to the account */
    personToken: async () =>
      (await insertInvitation(db, await someone(), owner.email ?? '', now())).token,
    takeToken: async () => (await held(await someone())).token,
    document: async () => (await insertDocument()).id,
    file: async () => (await insertDocument()).stored_name,
    share: async () => hashToken(await share()),
    shareToken: share,
    calendar,
    pinned,
    resetToken,
    registration,
    otpLogin,
    emailOtp,
    secondFactor,
    appCode: async () => codeOf(await beginApp(owner.id)),
    app: () => turnOn(owner.id),
    wayBack,
    deletionToken,
    ownEmail: async () => owner.email ?? '',
    passkey: async () => (await addPasskey(owner.id)).id,
    madePasskey,
    passkeySignIn,
    session: async () => (await newCaller({ deps }, owner.id)).credential.id,
    member,
    image,
    /** of the page of another account's code */
    report: async () => {
      const qr_id = await insertCodeOf(await someone())
      return (await createPageReport(db, qr_id, { reason: 'spam', text: null }, now())).id
    },
    resetRequest,
    ward,
    /** with its file */
    exported: async () => {
      const id = randomId()
      await db.deleteFrom('exports').where('account_id', '=', owner.id).execute()
      const state = { status: 'done', progress: 100, bytes: 1, done_at: at() } as const
      const times = { created_at: at(), claimed_until: at() }
      const row = { id, account_id: owner.id, ...state, ...times }
      await db.insertInto('exports').values(row).execute()
      const nothing = async () => {}
      await writeExport(deps.files, id, { madeAt: now(), fill: nothing, onProgress: nothing })
      return id
    },
    resetQuestion,
    /** An account on the highest plan can have none, and uses another account's. */
    upgrade: async () =>
      upgradeOf(owner.subscription_plan === 'enterprise' ? await someone() : owner.id),
    key: async () =>
      (await createApiKey(db, await newCaller({ deps }, owner.id), 'Key', now(), notify)).id,
    someone,
    theirUpgrade: async () => upgradeOf(await someone()),
    receipt,
    promo: async () => (await promo()).id,
    promoText: async () => (await promo()).code,
    redemption,
    message: async () => {
      const typed = { title: 'Closed', content: 'Until Monday' }
      return (await addAdminMessage(db, typed, ACTOR, now())).id
    },
  }
}

let hash: Promise<string> | undefined

export function newEmail(): string {
  return `${randomId().toLowerCase()}@example.in`
}

export function newMobile(): string {
  return `+919${String(Math.random()).slice(2, 11).padEnd(9, '0')}`
}

const NAME_LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'

export function storedName(kind: string): string {
  const letter = () => NAME_LETTERS[Math.floor(Math.random() * NAME_LETTERS.length)]
  return `${Array.from({ length: 26 }, letter).join('')}.${kind}`
}
