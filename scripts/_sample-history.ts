import { issuerOf } from '#actions/plans/receipts.ts'
import { noteActive } from '#db/accounts/active-days.ts'
import { createApiKey, findByApiKey } from '#db/accounts/api-keys.ts'
import type { Caller } from '#db/accounts/credentials.ts'
import { grantRole } from '#db/accounts/permissions.ts'
import { createSessions } from '#db/accounts/sessions.ts'
import { addAdminMessage, toggleAdminMessage } from '#db/admin/admin-messages.ts'
import { actorOf } from '#db/admin/audit-events.ts'
import { claimQrCode } from '#db/codes/claims.ts'
import { fileResetRequest, listResetRequests } from '#db/families/password-resets.ts'
import { decideResetRequest } from '#db/families/reset-decisions.ts'
import { insertDocument } from '#db/papers/document-uploads.ts'
import { recordDocumentView } from '#db/papers/document-views.ts'
import type { Document } from '#db/papers/documents.ts'
import { insertPopupImage, togglePopupImage } from '#db/papers/popup-images.ts'
import { createShareLink } from '#db/papers/share-links.ts'
import { createPromoCode } from '#db/plans/promo-changes.ts'
import { redeemPromoCode } from '#db/plans/promo-redemptions.ts'
import { decideRedemption } from '#db/plans/redemption-decisions.ts'
import { decideUpgradeRequest } from '#db/plans/upgrade-decisions.ts'
import { attachScreenshot, requestUpgrade } from '#db/plans/upgrade-requests.ts'
import type { Account, QrCode } from '#db/schema.ts'
import { hashToken } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import type { KeyScopes } from '#domain/accounts/api-key.ts'
import { FIRST_NOTICE } from '#domain/accounts/notice.ts'
import { cleanClaim } from '#domain/codes/claim.ts'
import type { DecisionAction } from '#domain/decision.ts'
import { hasPlans } from '#domain/plans/offer.ts'
import type { NewPromoCode } from '#domain/plans/promo.ts'
import { PAYMENT_METHODS } from '#domain/plans/upgrade.ts'
import type { Installation } from '#scripts/_context.ts'
import type { Sample } from '#scripts/_sample.ts'
import { addAlertChannels } from '#scripts/_sample-alerts.ts'
import { addConversations } from '#scripts/_sample-conversations.ts'
import { daysBefore, samplePhone } from '#scripts/_sample-fleet.ts'
import { type Made, noMail, withFile } from '#scripts/_sample-made.ts'
import { papersOf, type SamplePaper, samplePicture } from '#scripts/_sample-papers.ts'
import type { Random } from '#scripts/_sample-random.ts'
import sample from '#scripts/sample/sample.json' with { type: 'json' }
import { keepDocument, keepImage } from '#storage/intake.ts'
import { openStorage } from '#storage/open-storage.ts'

const PLAIN_PROMO: NewPromoCode = {
  code: '',
  description: null,
  subscription_plan: null,
  plan_months: null,
  child_qr_quantity: 0,
  discount_value: 0,
  usage_limit: 100,
  expires_at: null,
  requires_approval: true,
}
const PREMIUM_CODE = 'MONSOON-PREMIUM'
const CHILD_CODE = 'FAMILY10'
const DISCOUNT_CODE = 'WELCOME25'

/** Adds the activity of the sample's accounts, by the same verbs that the application uses. */
export async function addHistory(
  installation: Installation,
  rows: Sample,
  random: Random,
): Promise<void> {
  const files = await openStorage(installation.config, installation.installId)
  const made = { ...installation, people: rows.people, codes: rows.qr_codes, random, files }
  const papers = await uploadPapers(made)
  await showPapers(made, papers)
  await uploadPosters(made)
  await addConversations(made)
  await addAlertChannels(made)
  await claimBlankCode(made)
  await forgetPasswords(made)
  await writeMessages(made)
  if (hasPlans()) {
    await redeemPromoCodes(made)
    await requestUpgrades(made)
  }
  await makeApiKeys(made)
  await comeAndGo(made)
}

async function uploadPapers(made: Made): Promise<Document[]> {
  const { people, codes, now } = made
  const uploaded: Document[] = []
  const own = codes.filter((code) => code.owner_id === people.demo.id && code.qr_type === 'normal')
  for (const code of own.slice(0, 2)) {
    for (const [n, paper] of (await papersOf(code, now)).entries()) {
      uploaded.push(await upload(made, people.demo, code, paper, daysBefore(now, 28 - n)))
    }
  }
  const childs = codes.find(
    ({ child_account_id }) => child_account_id === people.child.id,
  ) as QrCode
  const [front] = await papersOf(childs, now)
  await upload(made, people.child, childs, front as SamplePaper, daysBefore(now, 30))
  return uploaded
}

async function upload(
  made: Made,
  account: Account,
  { qr_id }: QrCode,
  { content, file_name, ...fields }: SamplePaper,
  at: Date,
): Promise<Document> {
  const kept = await withFile(made.files, { content, file_name }, keepDocument)
  return insertDocument(made.db, account, qr_id, { ...fields, ...kept, pdf_problem: null }, at)
}

/** Records views by authorities and creates share links. */
async function showPapers(made: Made, papers: Document[]): Promise<void> {
  const { db, people, now } = made
  const open = papers.filter(({ is_public }) => is_public)
  for (const [days, document] of [
    [22, undefined],
    [22, open[0]],
    [11, undefined],
    [11, open[2]],
    [11, open[3]],
    [4, undefined],
  ] as const) {
    const qr_id = document?.qr_id ?? (open[0] as Document).qr_id
    await recordDocumentView(db, { qr_id, document }, daysBefore(now, days))
  }
  const shares = [
    { share_method: 'whatsapp', recipient: null },
    { share_method: 'email', recipient: 'garage@driveqr.example' },
  ] as const
  const viewer = people.demo
  const sharer = { viewer, caller: await signInFor(made, viewer) }
  for (const [i, share] of shares.entries()) {
    const { id } = open[i] as Document
    await createShareLink(db, sharer, id, share, daysBefore(now, 2 - i), noMail)
  }
}

/** Starts a session, which sharing, creating keys and deciding require. */
async function signInFor({ db, config, now }: Made, account: Account): Promise<Caller> {
  const sessions = createSessions(db, () => daysBefore(now, 60), config.timezone)
  const { cookieToken } = await sessions.start(account)
  return { accountId: account.id, credential: { kind: 'session', id: hashToken(cookieToken) } }
}

async function uploadPosters(made: Made): Promise<void> {
  const { db, people, now, files } = made
  for (const { owner, picture, title, days, isShown } of sample.posters) {
    const image = await withFile(files, await samplePicture(picture, `${title}.png`), keepImage)
    const account = people[owner as keyof typeof people]
    const { id } = await insertPopupImage(db, { ownerId: account.id }, image, daysBefore(now, days))
    if (!isShown) await togglePopupImage(db, { ownerId: account.id }, id, { now })
  }
}

/** A claim by a customer of the workshop without an account. */
async function claimBlankCode({ db, secretKey, codes, random, now }: Made): Promise<void> {
  const blank = codes.find(({ is_claimed, qr_type }) => qr_type === 'normal' && !is_claimed)
  const claim = cleanClaim({
    owner_name: 'Kavita Joshi',
    contact_phone: samplePhone(random),
    city_area: 'Baner, Pune',
  })
  const claimer = {
    claim,
    activationCode: null,
    networks: [],
    accountId: undefined,
    lang: 'en',
  } as const
  const when = { secretKey, now: daysBefore(now, 3), notice: FIRST_NOTICE }
  await claimQrCode(db, (blank as QrCode).qr_id, claimer, when, noMail)
}

async function forgetPasswords(made: Made): Promise<void> {
  const { db, people, codes, now } = made
  const { demo, child } = people
  const code = codes.find(({ child_account_id }) => child_account_id === child.id)
  const reset = {
    qrId: code?.qr_id ?? '',
    contact: { kind: 'email', email: child.email ?? '' },
    lang: 'en',
  } as const
  await fileResetRequest(db, reset, daysBefore(now, 25))
  const [request] = await listResetRequests(db, demo.id)
  const refusal = { requestId: request?.id ?? '', action: 'reject', tokenHash: '' } as const
  const at = daysBefore(now, 24)
  const { credential } = await signInFor(made, demo)
  await decideResetRequest(db, demo, { ...refusal, canMail: false, credential }, at, noMail)
  await fileResetRequest(db, reset, daysBefore(now, 1))
}

async function writeMessages({ db, people, now }: Made): Promise<void> {
  const by = actorOf(people.admin)
  const thanks = {
    title: 'Thank you for stopping',
    content: 'Most keys are back with their owner within the hour. One call is all it takes.',
  }
  await addAdminMessage(db, thanks, by, daysBefore(now, 20))
  const festival = { title: 'Happy Diwali', content: 'Drive slowly: the streets are full tonight.' }
  const { id } = await addAdminMessage(db, festival, by, daysBefore(now, 90))
  await toggleAdminMessage(db, id, by, daysBefore(now, 80))
}

async function redeemPromoCodes({ db, people, now }: Made): Promise<void> {
  const { admin, demo, free, upgraded, refused } = people
  const by = actorOf(admin)
  const codes = sample.promoCodes as (Partial<NewPromoCode> & { expired_days?: number })[]
  for (const [i, { expired_days, ...promo }] of codes.entries()) {
    const expires_at = expired_days ? daysBefore(now, expired_days).toISOString() : null
    await createPromoCode(
      db,
      { ...PLAIN_PROMO, ...promo, expires_at },
      by,
      daysBefore(now, 120 - i),
    )
  }
  const uses: [Account, string, number, DecisionAction?][] = [
    [demo, CHILD_CODE, 30, 'approve'],
    [upgraded, DISCOUNT_CODE, 45],
    [refused, PREMIUM_CODE, 12, 'reject'],
    [free, PREMIUM_CODE, 1],
  ]
  for (const [account, code, days, action] of uses) {
    const { id } = await redeemPromoCode(db, account.id, code, daysBefore(now, days))
    if (!action) continue
    await decideRedemption(db, { id, action }, by, daysBefore(now, days - 0.5), noMail)
  }
}

/** One request is approved, one rejected with a note, and one pending with a screenshot. */
async function requestUpgrades({ db, config, people, files, now }: Made): Promise<void> {
  const { admin, free, upgraded, refused } = people
  const request = (account: Account, payment_reference: string, days: number) => {
    const payment_method = PAYMENT_METHODS.upi
    const input = { requested_plan: 'premium', payment_method, payment_reference } as const
    return requestUpgrade(db, account.id, input, config.prices, daysBefore(now, days))
  }
  const decide = (id: string, action: DecisionAction, notes: string | null, days: number) => {
    const decision = { id, action, notes }
    const at = daysBefore(now, days)
    return decideUpgradeRequest(db, decision, actorOf(admin), at, noMail, issuerOf(config))
  }
  const approved = await request(upgraded, '632200418856', 44)
  await decide(approved.id, 'approve', null, 43.5)
  const rejected = await request(refused, '632800112347', 9)
  const note = 'No payment came with this reference. Send the one from your bank statement.'
  await decide(rejected.id, 'reject', note, 8.5)
  // The reference is the one in the picture.
  const { id } = await request(free, '632600907412', 0.4)
  const image = await withFile(files, await samplePicture('payment', 'Payment.png'), keepImage)
  await attachScreenshot(db, free.id, id, image.stored_name)
}

async function makeApiKeys(made: Made): Promise<void> {
  const { db, people, now } = made
  const caller = await signInFor(made, people.workshop)
  const keys: [string, KeyScopes][] = [
    ['Till at the counter', ['codes:write', 'papers']],
    ['Website', ['codes:read']],
  ]
  for (const [i, [name, scopes]] of keys.entries()) {
    const madeAt = daysBefore(now, 60 - 20 * i)
    const { key } = await createApiKey(db, caller, name, madeAt, noMail, { scopes })
    await findByApiKey(db, key, daysBefore(now, 0.2 + i))
  }
}

/** Adds active days and sessions of the last month, and a temporary role. */
async function comeAndGo({ db, config, people, random, now }: Made): Promise<void> {
  const everybody = Object.values(people)
  // Drawn before the transaction, which may run more than once.
  const visits = Array.from({ length: 30 }, (_, i) =>
    everybody
      .filter(() => random.below(3) === 0)
      .map(({ id }) => ({ id, at: daysBefore(now, 30 - i) })),
  ).flat()
  await inTransaction(db, async (trx) => {
    for (const { id, at } of visits) await noteActive(trx, id, at, config.timezone)
  })
  for (const [i, account] of everybody.entries()) {
    await createSessions(db, () => daysBefore(now, 1 + i), config.timezone).start(account)
  }
  const until = daysBefore(now, -20)
  const helper = { contact: people.upgraded.email ?? '', role: 'moderator', until } as const
  await grantRole(db, helper, daysBefore(now, 2))
}
