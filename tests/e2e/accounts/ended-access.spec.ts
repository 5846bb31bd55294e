import { noteEndedAccess } from '#db/accounts/ended-access.ts'
import type { Db } from '#db/client.ts'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'

const ENDED = { keys: ['Till', 'Gate of the parking deck'], links: 2, channels: ['push'] as const }

/** Notes access that a new password ended, for an account that no mail told. */
function end(db: Db, owner: { id: string }) {
  const ended = { ...ENDED, channels: [...ENDED.channels], calendar: true, domain: null }
  return noteEndedAccess(db, owner.id, ended, new Date())
}

test('an owner reads what a new password ended, and dismisses it @main', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server, {}, [], end)
  await page.goto('/dashboard')
  const notice = page.getByRole('region', { name: 'What has ended' })
  await expect(notice).toContainText('“Till”')
  await expect(notice).toContainText('2 shared links have ended.')
  await expect(notice).toContainText('Alerts do not come by Push any more.')
  await expectWellMade(page)
  await notice.getByRole('button', { name: 'I have read it' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'My QR Codes' })).toBeVisible()
  await expect(notice).toHaveCount(0)
})
