import { insertAccount } from '#db/accounts/accounts.ts'
import { ageSessions, LONG_NAME, signIn } from '#tests/e2e/support/dashboard.ts'
import { freshEmail } from '#tests/e2e/support/fresh.ts'
import { dialogOf, openDashboard, untilReady } from '#tests/e2e/support/page.ts'
import { expect, expectNoSideways, expectWellMade, test } from '#tests/e2e/support/test.ts'
import { PASSWORD, QUICK_HASH } from '#tests/support/app.ts'
import { insertInvitation, insertShare } from '#tests/support/people.ts'

const VAN = { vehicle_make_model: 'Tata Ace', company_fleet_name: 'Sai Motors' }

test('an owner invites a person, gets a new link, and cancels @main', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/status of 40[02]/)
  const email = freshEmail('meera')
  await signIn(context, server, {}, [VAN])
  await page.goto('/settings/people')
  await untilReady(page)
  await page.getByRole('link', { name: 'Invite a person' }).click()
  await expectWellMade(page)
  await page.getByLabel('Their e-mail').fill('nobody')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(page.getByText('Please enter a valid email address').first()).toBeVisible()
  await page.getByLabel('Their e-mail').fill(email)
  await page.getByLabel('Only look').check()
  await page.getByLabel('Which codes?').selectOption('All codes of Sai Motors')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(page.getByLabel(`Link for ${email}`)).toHaveValue(/\/invite\/[\w-]{43}$/)
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('Viewer · codes of Sai Motors')).toBeVisible()
  await expectWellMade(page)
  await page.getByRole('button', { name: `New link ${email}` }).click()
  await expect(page.getByLabel(`Link for ${email}`)).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: `Cancel ${email}` }).click()
  await expect(page.getByText(email)).toHaveCount(0)
})

test('long names fit a small screen and a large one @both', async ({ page, context, server }) => {
  await signIn(context, server, { subscription_plan: 'premium' }, [VAN], async (db, owner) => {
    const fields = { name: LONG_NAME, email: freshEmail('meera') }
    const person = await insertAccount(db, { ...fields, password_hash: null }, new Date())
    const scope = { company_fleet_name: LONG_NAME }
    await insertShare(db, { owner_id: owner.id, person_id: person.id }, scope)
    await insertShare(db, { owner_id: person.id, person_id: owner.id })
    const address = `${'meera'.repeat(12)}@example.in`
    await insertInvitation(db, owner.id, address, new Date(), { role: 'viewer' })
  })
  await page.goto('/settings/people')
  await expect(page.getByText('Manager · all QR codes')).toBeVisible()
  await expect(page.getByText('2 of 5')).toBeVisible()
  await expectWellMade(page)
  await page.getByRole('link', { name: `Change ${LONG_NAME}` }).click()
  await expect(dialogOf(page, `Change ${LONG_NAME}`)).toBeVisible()
  await expectWellMade(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSideways(page)
  await page.goto('/settings/people')
  await expectNoSideways(page)
})

test('the menu of a card leads to the form with that code, by keyboard', async ({
  page,
  context,
  server,
}) => {
  const email = freshEmail('meera')
  await signIn(context, server, {}, [{ vehicle_make_model: 'Tata Ace' }])
  await openDashboard(page)
  await page.getByLabel(/^More: /).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Share with people' }).press('Enter')
  const form = dialogOf(page, 'Share with a person')
  await expect(form.getByLabel('Which codes?').locator('option:checked')).toHaveText(
    'Only Tata Ace',
  )
  await form.getByLabel('Their e-mail').fill(email)
  await form.getByLabel('Answer finders').focus()
  await page.keyboard.press('ArrowDown')
  await expect(form.getByLabel('Everything but delete')).toBeChecked()
  await form.getByLabel('Their e-mail').press('Enter')
  await expect(page.getByLabel(`Link for ${email}`)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Manager · Tata Ace')).toBeVisible()
  await expect(page.getByText('People limit reached (1/1)')).toBeVisible()
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a person is changed, and removed after a question', async ({ page, context, server }) => {
    await signIn(context, server, {}, [VAN], async (db, owner) => {
      const fields = { name: 'Meera Kulkarni', email: freshEmail('meera'), password_hash: null }
      const person = await insertAccount(db, fields, new Date())
      await insertShare(db, { owner_id: owner.id, person_id: person.id })
    })
    await page.goto('/settings/people')
    await page.getByRole('link', { name: 'Change Meera Kulkarni' }).click()
    await page.getByLabel('Only look').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Viewer · all QR codes')).toBeVisible()
    await page.getByRole('link', { name: 'Remove Meera Kulkarni' }).click()
    await expect(page.getByText('no longer sees your codes and messages')).toBeVisible()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(page.getByText('Nobody yet.')).toBeVisible()
  })
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'later' : 'later, without script', () => {
    test.use({ javaScriptEnabled })

    test('the owner confirms an invitation, and gets its link', async ({
      page,
      context,
      server,
      problems,
    }) => {
      problems.expect(/403/)
      const email = freshEmail('meera')
      const { id } = await signIn(context, server, { password_hash: QUICK_HASH }, [VAN])
      await ageSessions(server, id)
      await page.goto('/settings/people?invite=all')
      await page.getByLabel('Their e-mail').fill(email)
      await page.getByLabel('Only look').check()
      await page.getByRole('button', { name: 'Invite', exact: true }).click()
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Confirm' }).click()
      await expect(page.getByLabel(`Link for ${email}`)).toHaveValue(/\/invite\/[\w-]{43}$/)
      await page.goto('/settings/people')
      await expect(page.getByText('Viewer · all QR codes')).toBeVisible()
    })
  })
}
