import { signIn } from '#tests/e2e/support/dashboard.ts'
import { imageFile, uploadDocument } from '#tests/e2e/support/documents.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'

test('an officer without script sees the documents, opens one by a tap, and goes back @both', async ({
  page,
  context,
  server,
  browser,
  problems,
}) => {
  const owner = await signIn(context, server, {}, [{ vehicle_registration: 'MH12QX4827' }])
  const qrId = owner.codes[0]?.qr_id ?? ''
  const rc = { document_type: 'rc_book', document_side: 'front', is_public: 'true' }
  await uploadDocument(page, qrId, rc, await imageFile())
  await uploadDocument(page, qrId, { document_type: 'insurance' })
  const viewport = page.viewportSize()
  const officer = await browser.newContext({
    javaScriptEnabled: false,
    viewport,
    baseURL: server.url,
  })
  const view = await officer.newPage()
  await view.goto(`/scan/${qrId}`)
  await view.locator(`a[href="/police/${qrId}"]`).click()
  await expect(view.getByRole('heading', { name: 'Vehicle documents' })).toBeVisible()
  await expect(view.locator('.plate')).toHaveText('MH 12 QX 4827')
  await expect(view.getByRole('link', { name: 'Call owner' })).toHaveAttribute(
    'href',
    'tel:+919876543210',
  )
  await expect(view.getByText('Insurance')).toHaveCount(0)
  await expect(view.getByText('DigiLocker or mParivahan')).toBeVisible()
  const requests: string[] = []
  view.on('request', (request) => requests.push(request.resourceType()))
  const paper = view.getByRole('link', { name: 'Registration certificate (RC book)' })
  await view.waitForLoadState()
  expect((await paper.boundingBox())?.height).toBeGreaterThan(60)
  await paper.click()
  await expect(view).toHaveURL(/\/api\/files\/[a-z2-7]{26}\.png$/)
  expect(requests).not.toContain('script')
  await view.goBack()
  await view.getByRole('link', { name: 'Go Back' }).click()
  await expect(view).toHaveURL(new RegExp(`/scan/${qrId}`))
  await officer.close()

  await page.goto('/dashboard?tab=documents')
  await page.getByText('Police view opened').click()
  await expect(page.getByText('· Registration certificate (RC book), front side')).toBeVisible()
  await page.getByRole('link', { name: 'Police View' }).focus()
  const opening = page.waitForEvent('popup')
  await page.keyboard.press('Enter')
  const own = await opening
  await own.getByRole('link', { name: 'Go Back' }).click()
  await expect(own).toHaveURL(/\/dashboard\?tab=documents$/)
  await own.close()

  problems.expect(/404/)
  for (const id of [qrId, '000000000011']) {
    await page.goto(`/police/${id}`)
    await expectWellMade(page)
  }
  await expect(page.getByRole('heading', { name: 'Access Restricted' })).toBeVisible()
})
