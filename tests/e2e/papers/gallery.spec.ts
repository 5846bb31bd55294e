import { signIn } from '#tests/e2e/support/dashboard.ts'
import { imageFile, uploadDocument } from '#tests/e2e/support/documents.ts'
import { dialogOf, openReady, toast } from '#tests/e2e/support/page.ts'
import { expect, expectNoSideways, expectWellMade, test } from '#tests/e2e/support/test.ts'

const TAB = '/dashboard?tab=gallery'
const PREMIUM = { subscription_plan: 'premium' } as const
const CODES = [{ vehicle_registration: 'MH12QX4827' }, { owner_name: 'Meera' }]

test('documents are viewed, found and shared, and links are revoked @main', async ({
  page,
  context,
  server,
  problems,
}) => {
  const { codes } = await signIn(context, server, PREMIUM, CODES)
  const [first = '', second = ''] = codes.map(({ qr_id }) => qr_id)
  const rc = { document_type: 'rc_book', document_side: 'front' }
  await uploadDocument(page, first, rc, await imageFile())
  await uploadDocument(page, second, { document_type: 'insurance' })
  await openReady(page, TAB)
  const image = page.getByRole('article', { name: 'Registration certificate' })
  const pdf = page.getByRole('article', { name: 'Insurance' })

  await image.locator('a.thumb').focus()
  await page.keyboard.press('Enter')
  const viewer = dialogOf(page, 'Registration certificate')
  await expect(viewer.getByRole('img')).toHaveJSProperty('naturalWidth', 800)
  await page.keyboard.press('Escape')
  await expect(viewer).toHaveCount(0)
  await expect(image.locator('a.thumb')).toBeFocused()
  await expect(pdf.locator('a.thumb')).toHaveAttribute('target', '_blank')

  const type = page.getByLabel('Document type')
  await page.evaluate(() => document.body.toggleAttribute('data-same-page', true))
  await type.focus()
  for (const chosen of ['rc_book', 'insurance']) {
    await page.keyboard.press('ArrowDown')
    await expect(page).toHaveURL(new RegExp(`type=${chosen}`))
    await expect(type).toBeFocused()
  }
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.locator('body[data-same-page]')).toHaveCount(1)
  await page.getByRole('link', { name: 'List' }).click()
  await expect(page.getByRole('link', { name: 'List' })).toHaveAttribute('aria-current', 'true')
  await openReady(page, `${TAB}&q=mh+12`)
  await expect(page.locator('.gallery-list').getByRole('article')).toHaveCount(1)

  await context.route('https://wa.me/**', (route) => route.fulfill({ body: 'WhatsApp' }))
  const opening = page.waitForEvent('popup')
  await image.getByRole('button', { name: 'WhatsApp' }).click()
  await expect(toast(page, 'WhatsApp opens with the link')).toBeVisible()
  const chat = await opening
  await expect(chat).toHaveURL(/^https:\/\/wa\.me\/\?text=Registration%20certificate/)
  await chat.close()
  const downloading = page.waitForEvent('download')
  const button = image.getByRole('button', { name: 'Download' })
  await button.click()
  expect((await downloading).suggestedFilename()).toBe('rc-front.png')
  await expect(toast(page, 'Download starts')).toBeVisible()
  await expect(button).toBeFocused()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('article')).toHaveCount(1)

  await image.getByRole('link', { name: 'Email' }).click()
  const share = dialogOf(page, 'Share Registration certificate')
  problems.expect(/status of 400/)
  await share.getByLabel('Email address').fill('meera')
  await share.getByRole('button', { name: 'Send' }).click()
  await expect(share.getByText('Please enter a valid email address')).toBeVisible()
  await expect(share.getByLabel('Email address')).toBeFocused()
  problems.expect(/500/)
  const call = /\/dashboard\/gallery\/[^/]+\/share/
  await page.route(call, (route) => route.fulfill({ status: 500, body: '' }))
  await share.getByLabel('Email address').fill('meera@example.in')
  await share.getByRole('button', { name: 'Send' }).click()
  await expect(toast(page, 'Failed to share document')).toBeVisible()
  await page.unroute(call)
  await share.getByRole('button', { name: 'Send' }).click()
  await expect(share.getByText('Your mail app opens with the link')).toBeVisible()
  await expect(share.getByRole('link', { name: 'Open the link' })).toHaveAttribute(
    'href',
    /^mailto:meera%40example\.in\?subject=Registration/,
  )
  await share.getByRole('button', { name: 'Done' }).click()

  const links = page.getByRole('region', { name: 'Shared links' }).getByRole('listitem')
  await expect(links).toHaveCount(3)
  await links.last().getByRole('link', { name: 'End link' }).click()
  const end = dialogOf(page, 'End this link?')
  await expectWellMade(page)
  await end.getByRole('button', { name: 'Keep link' }).click()
  await expect(links).toHaveCount(3)
  await links.last().getByRole('link', { name: 'End link' }).click()
  await end.getByRole('button', { name: 'End link' }).click()
  await expect(toast(page, 'Link ended')).toBeVisible()
  await expect(links).toHaveCount(2)
})

test('every state is accessible, in light and dark mode @both @slow', async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server)
  await page.goto(TAB)
  await expect(page.getByText('Premium feature')).toBeVisible()
  await expectWellMade(page)
  const { codes } = await signIn(context, server, PREMIUM, CODES)
  const [first = '', second = ''] = codes.map(({ qr_id }) => qr_id)
  await page.goto(TAB)
  await expect(page.getByText('Nothing here yet')).toBeVisible()
  const rc = { document_type: 'rc_book', document_side: 'front', is_public: 'true' }
  const { id } = await uploadDocument(page, first, rc, await imageFile())
  await uploadDocument(page, second, { document_type: 'insurance' })
  const made = await page.request.post(`/api/gallery/share/${id}`, {
    data: { share_method: 'download' },
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  })
  expect(made.status()).toBe(200)
  for (const query of ['', '&layout=list', `&show=${id}`, `&share=${id}`, '&q=xyz']) {
    await openReady(page, TAB + query)
    await expectWellMade(page)
  }
  await page.setViewportSize({ width: 320, height: 640 })
  for (const layout of ['grid', 'list']) {
    await openReady(page, `${TAB}&layout=${layout}`)
    await expectNoSideways(page)
  }
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('documents are filtered, and a link is created and revoked', async ({
    page,
    context,
    server,
  }) => {
    const { codes } = await signIn(context, server, PREMIUM, CODES)
    await uploadDocument(page, codes[0]?.qr_id ?? '', { document_type: 'insurance' })
    await page.goto(TAB)
    await page.getByLabel('Document type').selectOption('insurance')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('button', { name: 'WhatsApp: Insurance' }).click()
    await expect(page.getByRole('link', { name: 'Open the link' })).toHaveAttribute(
      'href',
      /^https:\/\/wa\.me\//,
    )
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: 'End link' }).click()
    await page.getByRole('button', { name: 'End link' }).click()
    await expect(page.getByText('Link ended')).toBeVisible()
  })
})
