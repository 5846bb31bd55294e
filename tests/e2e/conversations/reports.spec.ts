import type { Db } from '#db/client.ts'
import { createPageReport } from '#db/conversations/page-reports.ts'
import { reportConversation } from '#db/conversations/reports.ts'
import { insertPopupImage } from '#db/papers/popup-images.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { card, dialogOf, openReady, toast } from '#tests/e2e/support/page.ts'
import { openDatabaseOf, type RunningServer } from '#tests/e2e/support/server.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'
import { storeFile } from '#tests/support/storage.ts'
import { insertConversation } from '#tests/support/stored-conversations.ts'
import { storedName } from '#tests/support/things.ts'
import { picture } from '#tests/support/uploads.ts'

// Every moderator sees all that was reported.
test.use({ serverEnv: {} })

const PAGES = [
  { owner_name: 'Quick Tyres', public_message: 'Pay first, then call.' },
  { owner_name: 'Imran Shaikh', vehicle_registration: 'KA05MN7310' },
]

type Reported = { id: string; codes: { qr_id: string }[] }

/** Two pages of an owner, one with a picture, and a conversation: each reported. */
function report(server: RunningServer) {
  return async (db: Db, { id, codes }: Reported) => {
    const [seller = '', plated = ''] = codes.map(({ qr_id }) => qr_id)
    const stored_name = storedName('png')
    await storeFile(server.dataDir, stored_name, await picture())
    const size = { file_size: 1, width: 320, height: 240 }
    await insertPopupImage(
      db,
      { ownerId: id },
      { file_name: 'pay.png', stored_name, ...size },
      new Date(),
    )
    const now = new Date()
    const text = 'The picture asks to pay ₹500 by UPI before I get the number.'
    await createPageReport(db, seller, { reason: 'fraud', text }, now)
    await createPageReport(db, plated, { reason: 'spam', text: null }, now)
    const talk = await insertConversation(
      db,
      { account_id: id, qr_id: plated },
      {
        reason: 'other',
        browser_hash: 'browser',
        messages: [{ text: 'I wait at B2 every night until you come alone.' }],
      },
    )
    const threat = { reason: 'threat', text: 'He says he waits for me.' } as const
    await reportConversation(db, { id }, talk.id, threat, now)
  }
}

test('a moderator decides what was reported, by keyboard too @main', async ({
  page,
  context,
  server,
}) => {
  const { codes } = await signIn(context, server, {}, PAGES, report(server))
  const [seller = '', plated = ''] = codes.map(({ qr_id }) => formatQrId(qr_id))
  await signIn(context, server, { name: 'Kavita Joshi', role: 'moderator' })
  await openReady(page, '/dashboard?tab=reports')
  const fraud = card(page, `Fraud, ${seller}`)
  await expect(fraud.getByText('“Pay first, then call.”')).toBeVisible()
  const image = fraud.getByRole('img', { name: 'Popup image of the page' })
  await expect(image).toBeVisible()
  const threat = card(page, `Threat, ${plated}`)
  await expect(threat.getByRole('link')).toHaveText(['112', /^Block sender/, /^Dismiss/])
  await expectWellMade(page)

  await fraud.getByRole('link', { name: 'Hide popup image' }).press('Enter')
  await dialogOf(page, 'Hide the popup image?')
    .getByRole('button', { name: 'Hide popup image' })
    .press('Enter')
  await expect(toast(page, 'Popup image hidden')).toBeVisible()
  const cards = page.getByRole('article')
  await expect(fraud).toBeFocused()
  await expect(fraud.getByText(/^Popup image hidden by Kavita Joshi, /)).toBeVisible()
  await expect(cards).toHaveCount(3)

  const spam = card(page, `Spam, ${plated}`)
  await spam.getByRole('link', { name: 'Deactivate code' }).press('Enter')
  const asked = dialogOf(page, 'Deactivate this code?')
  await expect(asked.getByText('cannot activate it')).toBeVisible()
  await expectWellMade(page)
  await page.keyboard.press('Escape')
  await expect(spam.getByRole('link', { name: 'Deactivate code' })).toBeFocused()
  await spam.getByRole('link', { name: 'Deactivate code' }).click()
  await asked.getByRole('button', { name: 'Deactivate code' }).click()
  await expect(toast(page, 'QR code deactivated')).toBeVisible()

  await threat.getByRole('link', { name: 'Dismiss' }).click()
  await dialogOf(page, 'Dismiss this report?').getByRole('button', { name: 'Keep Open' }).click()
  await threat.getByRole('link', { name: 'Block sender' }).click()
  const block = dialogOf(page, 'Block this sender?')
  await expect(block.getByText('He says he waits for me.')).toBeVisible()
  await expectWellMade(page)
  await block.getByRole('button', { name: 'Block sender' }).click()
  await expect(toast(page, 'Sender blocked for 30 days')).toBeVisible()
  await expect(threat).toBeFocused()
  await expect(cards).toHaveCount(3)
  await expectWellMade(page)
  await openReady(page, '/dashboard?tab=reports')
  await expect(page.getByText('No open reports')).toBeVisible()
  await page.getByRole('link', { name: 'Decided' }).click()
  await expect(fraud.getByText(/^Popup image hidden by Kavita Joshi, /)).toBeVisible()
  await expect(image).toBeVisible()
  await expectWellMade(page)
})

test('a report that somebody else has decided meanwhile says so, and the focus stays on the page', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/status of 409/)
  const { codes } = await signIn(context, server, {}, PAGES, report(server))
  const [seller = '', plated = ''] = codes.map(({ qr_id }) => formatQrId(qr_id))
  await signIn(context, server, { name: 'Kavita Joshi', role: 'moderator' })
  await openReady(page, '/dashboard?tab=reports')
  const { db, close } = await openDatabaseOf(server)
  const decided_at = new Date().toISOString()
  const decideAll = () =>
    db.updateTable('reports').set({ status: 'decided', action: 'dismiss', decided_at }).execute()
  const decided = toast(page, 'This report has already been decided')
  const title = page.getByRole('heading', { name: 'Reports', exact: true })

  const deactivate = (name: string) =>
    card(page, name).getByRole('link', { name: 'Deactivate code' })
  await deactivate(`Fraud, ${seller}`).press('Enter')
  const act = dialogOf(page, 'Deactivate this code?').getByRole('button', {
    name: 'Deactivate code',
  })
  await expect(act).toBeVisible()
  await decideAll()
  await act.press('Enter')
  await expect(decided).toBeVisible()
  await expect(page.getByText('No open reports')).toBeVisible()
  await expect(title).toBeFocused()

  await db.updateTable('reports').set({ status: 'open', action: null, decided_at: null }).execute()
  await openReady(page, '/dashboard?tab=reports')
  await decideAll()
  await deactivate(`Spam, ${plated}`).press('Enter')
  await expect(decided).toBeVisible()
  await expect(page.getByText('No open reports')).toBeVisible()
  await expect(title).toBeFocused()
  await close()
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('an admin is asked before an account is blocked, and sees who did it', async ({
    page,
    context,
    server,
  }) => {
    const owner = await signIn(context, server, { name: 'Ravi Menon' }, PAGES, report(server))
    const seller = formatQrId(owner.codes[0]?.qr_id ?? '')
    await signIn(context, server, { name: 'Nandini Rao', role: 'admin' })
    await page.goto('/admin-dashboard?tab=reports')
    await card(page, `Fraud, ${seller}`).getByRole('link', { name: 'Block account' }).click()
    const asked = page.getByRole('dialog', { name: 'Block this account?' })
    await expect(asked.getByText(owner.email ?? '')).toBeVisible()
    await asked.getByRole('button', { name: 'Block account' }).click()
    await expect(page.getByText('Account blocked', { exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'Decided' }).click()
    await expect(page.getByText(/^Account blocked by Nandini Rao, /)).toBeVisible()
  })
})
