import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { createSessions } from '#db/accounts/sessions.ts'
import { recordDocumentView } from '#db/papers/document-views.ts'
import { openTestApp } from '#tests/support/app.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { CHILD, UNCLAIMED } from '#tests/support/families.ts'
import { isOnPostgres } from '#tests/support/postgres.ts'
import { thingsOf } from '#tests/support/things.ts'

type Opened = Awaited<ReturnType<typeof openCounted>>

/** An application whose reading and writing is counted, by whichever engine it goes. */
async function openCounted() {
  const app = await openTestApp({ env: { SMTP_URL: 'smtp://127.0.0.1:25' } })
  let statements = 0
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      statements++
      return result
    },
  }
  const { deps } = app
  deps.db = app.db.withPlugin(counting)
  deps.sessions = createSessions(deps.db, deps.clock)
  const { find, findReplaced, listPopup, ...scanPath } = deps.scanPath
  const counted =
    <Args extends unknown[], Answer>(ask: (...args: Args) => Answer) =>
    (...args: Args): Answer => {
      statements++
      return ask(...args)
    }
  deps.scanPath = {
    ...scanPath,
    find: counted(find),
    findReplaced: counted(findReplaced),
    listPopup: counted(listPopup),
  }
  /** Counts the statements of a page, which must answer 200. */
  async function count(path: string, cookie?: string): Promise<number> {
    statements = 0
    const headers = { 'Sec-Fetch-Site': 'same-origin', ...(cookie && { Cookie: cookie }) }
    const answer = await app.ask('GET', path, { headers })
    await answer.text()
    expect([path, answer.status]).toEqual([path, 200])
    return statements
  }
  /** Counts the statements of a call. */
  async function countCall(path: string, as: { bearerToken: string }, json: object) {
    statements = 0
    const answer = await app.ask('POST', path, { as, json })
    expect([path, answer.status]).toEqual([path, 200])
    return statements
  }
  return { ...app, count, countCall }
}

/** Makes so many of everything that a page lists. */
async function fill(app: Opened, owner: Parameters<typeof thingsOf>[1], many: number) {
  const things = thingsOf(app, owner)
  const now = app.deps.clock()
  for (let n = 0; n < many; n++) {
    await things.shareToken()
    await things.image()
    await things.resetRequest()
    await things.conversation()
    // An account has at most 20 channels.
    if (n < 8) await things.channel()
    await things.delivery()
    await things.report()
    await things.key()
    await things.redemption()
    await things.theirUpgrade()
    await things.message()
    await things.held()
    await insertCode(app.db, owner.id, UNCLAIMED)
    await insertCode(app.db, owner.id, CHILD)
  }
  const codes = await app.db.selectFrom('qr_codes').select('qr_id').execute()
  for (const { qr_id } of codes) {
    const scan = { device: 'phone', referrer: 'direct', n: 1 } as const
    await app.db
      .insertInto('scans')
      .values({ qr_id, scanned_at: now.toISOString(), ...scan })
      .execute()
    await recordDocumentView(app.db, { qr_id }, now)
  }
}

/** The most statements that a page may take, however much is listed on it. */
const MOST = {
  '/dashboard?tab=my-qrs': 14,
  '/dashboard?tab=my-qrs&q=puc': 11,
  '/dashboard?tab=my-qrs&filter=due&sort=due': 13,
  '/dashboard?tab=my-qrs&select=1': 10,
  '/settings': 13,
  '/settings/calendar': 4,
  '/settings/profile': 3,
  '/settings/security': 8,
  '/settings/security/authenticator': 4,
  '/settings/notifications': 7,
  '/settings/notifications?disconnect=CHANNEL': 9,
  '/settings/notifications/webhooks/WEBHOOK': 7,
  '/settings/branding': 6,
  '/settings/branding/domain': 5,
  '/settings/api-keys': 3,
  '/settings/plan': 5,
  '/dashboard?tab=my-qrs&upgrade=limit': 18,
  '/dashboard?tab=messages': 6,
  '/dashboard?tab=messages&q=keys': 6,
  '/dashboard?tab=messages&conversation=CONVERSATION': 12,
  '/dashboard?tab=popup-images': 4,
  '/dashboard?tab=documents': 7,
  '/dashboard?tab=documents&q=puc': 8,
  '/dashboard?tab=documents&sort=due': 4,
  '/dashboard?tab=documents&upload=1': 10,
  '/dashboard?tab=gallery': 6,
  '/dashboard?tab=password-requests': 4,
  '/dashboard?tab=analytics': 12,
  '/admin?tab=overview': 15,
  '/admin?tab=users': 5,
  '/admin?tab=qr-codes': 5,
  '/admin?tab=promo-codes': 6,
  '/admin?tab=analytics': 6,
  // PostgreSQL is asked for its size; of SQLite it is that of its files.
  '/admin?tab=system': isOnPostgres() ? 7 : 6,
  '/admin-dashboard?tab=users': 11,
  '/admin-dashboard?tab=permissions': 7,
  '/admin-dashboard?tab=promo-codes': 7,
  '/admin-dashboard?tab=upgrade-requests': 7,
  '/admin-dashboard?tab=hierarchy': 4,
  '/admin-dashboard?tab=reports': 6,
  '/api/auth/me': 3,
  '/api/qr/my-qrs': 7,
  '/api/gallery/QR': 4,
  '/api/due': 3,
  '/api/documents/QR': 5,
  '/api/documents/QR/police': 5,
  '/api/popup-images': 3,
  '/api/conversations': 6,
  '/api/conversations?search=keys': 6,
  '/api/conversations/CONVERSATION': 5,
  '/api/notifications/settings': 5,
  '/api/notifications/channels': 4,
  '/api/notifications/channels/WEBHOOK/deliveries': 4,
  '/api/admin/users': 4,
}
/** The same for strangers' pages. */
const MOST_OF_STRANGERS = {
  '/': 0,
  '/login': 1,
  '/scan/QR': 2,
  '/api/scan/QR/message': 3,
  '/c/FINDERS/photo': 3,
  '/police/QR': 4,
  '/scan/REPLACED': 2,
  '/claim?qr=BLANK': 2,
  '/child-register?qr=CHILD': 1,
  '/take/TAKE': 1,
  // One more for the brand of its page.
  '/transfer/TRANSFER': 2,
  '/reset-password?token=RESET': 2,
}

test.each([1, 15])('pages run their number of statements, with %i of everything', async (many) => {
  const app = await openCounted()
  const owner = await app.signUp({ role: 'super_admin', subscription_plan: 'enterprise' })
  await fill(app, owner, many)
  const things = thingsOf(app, owner)
  const of = {
    QR: await things.pinned(),
    REPLACED: await things.replaced(),
    BLANK: await things.unclaimed(),
    CHILD: await things.unregistered(),
    CONVERSATION: await things.conversation(),
    CHANNEL: await things.channel(),
    WEBHOOK: await things.webhook(),
    FINDERS: await things.conversationToken(),
    TAKE: await things.takeToken(),
    TRANSFER: await things.transferToken(),
    RESET: await things.resetToken(),
  }
  const above = async (most: Record<string, number>, cookie?: string) => {
    const over: string[] = []
    for (const [path, limit] of Object.entries(most)) {
      const address = path.replace(/[A-Z]{2,}/, (name) => of[name as keyof typeof of])
      const taken = await app.count(address, cookie)
      if (taken > limit) over.push(`${path} takes ${taken}, not ${limit}`)
    }
    return over
  }
  expect(await above(MOST, owner.cookie)).toEqual([])
  expect(await above(MOST_OF_STRANGERS)).toEqual([])
})

test('a deletion, which finders wait for, takes two statements for each claimer', async () => {
  const app = await openCounted()
  const countDeletion = async (claimers: number) => {
    const owner = await app.signUp({ subscription_plan: 'enterprise' })
    for (let n = 0; n < claimers; n++) {
      const claim_email = `claimer${n}of${claimers}@example.in`
      await insertCode(app.db, owner.id, { ...HELD, claim_email, claim_lang: 'hi' })
    }
    return app.countCall('/api/account/deletion', owner, { email: owner.email })
  }
  const few = await countDeletion(5)
  expect((await countDeletion(25)) - few).toBe(2 * 20)
})
