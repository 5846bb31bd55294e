import { signIn } from '#tests/e2e/support/dashboard.ts'
import { imageFile } from '#tests/e2e/support/documents.ts'
import { dialogOf, hold, openReady, toast } from '#tests/e2e/support/page.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'
import { picture } from '#tests/support/uploads.ts'

const TAB = '/dashboard?tab=popup-images'

test('an image is uploaded, hidden, shown to finders and deleted, despite failures in between', async ({
  page,
  context,
  server,
  problems,
}) => {
  const owner = await signIn(context, server, {}, [{}])
  await openReady(page, TAB)
  await page.getByRole('link', { name: 'Upload' }).click()
  const upload = dialogOf(page, 'Upload popup image')
  const submit = upload.getByRole('button', { name: 'Upload' })
  await expect(submit).toBeDisabled()
  await expect(upload.getByText('max 5MB, JPG/PNG/WebP')).toBeVisible()
  const file = upload.getByLabel('File')
  const pdf = { name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-') }
  await file.setInputFiles(pdf)
  await expect(upload.getByText('Only JPG, PNG and WebP images are accepted')).toBeVisible()
  const gif = await picture({ kind: 'gif' })
  await file.setInputFiles({ name: 'fake.png', mimeType: 'image/png', buffer: gif })
  problems.expect(/415/)
  await submit.click()
  await expect(toast(page, 'Only JPG, PNG and WebP images are accepted')).toBeVisible()
  await file.setInputFiles(await imageFile('diwali.png'))
  await expect(upload.locator('img.preview')).toBeVisible()
  problems.expect(/ERR_FAILED/)
  await page.route('**/api/popup-images/upload', (route) => route.abort())
  await submit.click()
  await expect(toast(page, 'Failed to upload image')).toBeVisible()
  await page.unroute('**/api/popup-images/upload')
  await expect(upload.getByText('diwali.png')).toBeVisible()
  await submit.click()
  await expect(toast(page, 'Popup image uploaded successfully!')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'diwali.png' })).toBeFocused()
  const card = page.getByRole('article', { name: 'diwali.png' })
  await expect(card).toContainText('Active')

  await card.getByRole('button', { name: 'Deactivate' }).focus()
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Image deactivated!')).toBeVisible()
  await expect(card.getByText('Inactive')).toBeVisible()
  await expect(card.getByRole('button', { name: 'Activate' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Image activated!')).toBeVisible()
  problems.expect(/500/)
  await page.route('**/toggle', (route) => route.fulfill({ status: 500, json: {} }))
  await card.getByRole('button', { name: 'Deactivate' }).click()
  await expect(toast(page, 'Failed to toggle image status')).toBeVisible()
  const popup = await page.request.get(`/api/scan/${owner.codes[0]?.qr_id}/popup`)
  expect((await popup.json()).popup_images).toHaveLength(1)

  await card.getByRole('link', { name: 'Delete' }).click()
  const question = dialogOf(page, 'Delete this image?')
  const remove = question.getByRole('button', { name: 'Delete' })
  const call = /\/dashboard\/popup-images\/[^/]+\/delete$/
  await page.route(call, (route) =>
    route.fulfill({ status: 500, body: '<h1>Something went wrong' }),
  )
  await remove.click()
  await expect(toast(page, 'Delete failed (500): Something went wrong')).toBeVisible()
  await page.unroute(call)
  problems.expect(/502/)
  await page.route(call, (route) => route.fulfill({ status: 502, body: '' }))
  await remove.click()
  await expect(
    toast(page, 'Delete failed (502): The site is restarting. Try again in a minute.'),
  ).toBeVisible()
  await page.unroute(call)
  await page.route(call, (route) => route.abort())
  await remove.click()
  await expect(toast(page, 'Network error: No response from server')).toBeVisible()
  await page.unroute(call)
  await remove.click()
  await expect(toast(page, 'Popup image deleted successfully!')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No popup images' })).toBeVisible()
})

test('a proxy’s refusal says what happened, and a photo above the limit is made smaller', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/status of 413/)
  await signIn(context, server, {}, [{}])
  await openReady(page, `${TAB}&upload=1`)
  const upload = dialogOf(page, 'Upload popup image')
  const file = upload.getByLabel('File')
  const submit = upload.getByRole('button', { name: 'Upload' })
  // Browsers ignore bytes after the end of a JPEG.
  const small = await picture({ kind: 'jpeg' })
  const buffer = Buffer.concat([small, Buffer.alloc(5 * 1024 * 1024)])
  await file.setInputFiles({ name: 'IMG_1.JPG', mimeType: 'image/jpeg', buffer })
  await expect(upload.getByText('IMG_1.jpg')).toBeVisible()
  const body = '<h1>413 Request Entity Too Large</h1>'
  const call = '**/api/popup-images/upload'
  await page.route(call, (route) => route.fulfill({ status: 413, body }), { times: 1 })
  await submit.click()
  await expect(toast(page, /^This site takes no file of this size/)).toBeVisible()
  await submit.click()
  await expect(page.getByRole('heading', { name: 'IMG_1.jpg' })).toBeFocused()

  await openReady(page, `${TAB}&upload=1`)
  const large = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.alloc(6 * 1024 * 1024) }
  await file.setInputFiles(large)
  await expect(upload.getByText('Image is larger than 5 MB')).toBeVisible()
})

test('every state is accessible, and a missing image is shown as such @both @slow', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/404|ERR_FAILED/)
  await signIn(context, server, {}, [{}])
  await page.goto(TAB)
  await expectWellMade(page)
  const answer = await page.request.post('/api/popup-images/upload', {
    multipart: { file: await imageFile('greeting-for-the-festival-season-2026.png') },
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  })
  const { id } = await answer.json()
  for (const query of ['', '&upload=1', `&delete=${id}`]) {
    await openReady(page, TAB + query)
    await expectWellMade(page)
  }
  await page.route('**/api/files/*', (route) => route.abort())
  await page.setViewportSize({ width: 320, height: 640 })
  await openReady(page, TAB)
  await expect(page.getByText('Image not found')).toBeVisible()
  await expectWellMade(page)
})

test('a file that is chosen before the script loads is uploaded', async ({
  page,
  context,
  server,
}) => {
  const { codes } = await signIn(context, server, {}, [{}, {}])
  const load = await hold(page, '**/assets/*.js')
  await page.goto(`${TAB}&upload=1`, { waitUntil: 'commit' })
  await page.getByLabel('File').setInputFiles(await imageFile('early.png'))
  load()
  const upload = dialogOf(page, 'Upload popup image')
  await expect(upload.locator('img.preview')).toBeVisible()
  await upload.getByRole('button', { name: 'Upload' }).click()
  await expect(page.getByRole('article', { name: 'early.png' })).toBeVisible()

  const loadAgain = await hold(page, '**/assets/*.js')
  await page.goto('/dashboard?tab=documents&upload=1', { waitUntil: 'commit' })
  await page.getByLabel('QR code', { exact: true }).selectOption(codes[1]?.qr_id ?? '')
  await page.getByLabel('Document type').selectOption('puc')
  await page.getByLabel('File').setInputFiles(await imageFile('puc.png'))
  loadAgain()
  const papers = dialogOf(page, 'Upload Document')
  await expect(papers.getByText('puc.png')).toBeVisible()
  await expect(papers.getByLabel('Document type')).toHaveValue('puc')
  await papers.getByRole('button', { name: 'Upload' }).click()
  await expect(toast(page, 'Document uploaded successfully!')).toBeVisible()
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('an image is uploaded and hidden', async ({ page, context, server }) => {
    await signIn(context, server)
    await page.goto(TAB)
    await page.getByRole('link', { name: 'Upload' }).click()
    await page.getByLabel('File').setInputFiles(await imageFile('diwali.png'))
    await page.getByRole('button', { name: 'Upload' }).click()
    await expect(page.getByText('Popup image uploaded successfully!')).toBeVisible()
    await page.getByRole('button', { name: 'Deactivate diwali.png' }).click()
    await expect(page.getByText('Image deactivated!')).toBeVisible()
  })
})
