import type { Locator, Page } from '@playwright/test'
import { LONG_NAME, signIn } from '#tests/e2e/support/dashboard.ts'
import { chooseAct, imageFile, PDF_FILE, uploadDocument } from '#tests/e2e/support/documents.ts'
import { dialogOf, hold, openReady, toast } from '#tests/e2e/support/page.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'
import { PDF } from '#tests/support/uploads.ts'

const TAB = '/dashboard?tab=documents'
const CODES = [
  { vehicle_registration: 'MH12QX4827', insurance_expiry_date: '2026-01-01' },
  { owner_name: 'Meera', next_service_due: '2099-05-01' },
]

const dialog = (page: Page) => dialogOf(page, 'Upload Document')

test('documents are uploaded one after another, made public and private, and deleted @main', async ({
  page,
  context,
  server,
  problems,
}) => {
  const owner = await signIn(context, server, {}, CODES)
  const [code] = owner.codes
  await openReady(page, '/dashboard')
  const card = page.getByRole('article', { name: 'Ramesh Kulkarni' })
  await card.getByRole('link', { name: 'Docs' }).click()
  const upload = dialog(page)
  await expect(upload.getByLabel('QR code')).toHaveValue(code?.qr_id ?? '')
  const submit = upload.getByRole('button', { name: 'Upload' })
  await expect(submit).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(upload).toHaveCount(0)
  await expect(card.getByRole('link', { name: 'Docs' })).toBeFocused()

  await openReady(page, TAB)
  await expect(page.getByText('Insurance expired on 1 Jan 2026')).toBeVisible()
  await expect(page.getByText('Service due on 1 May 2099')).toBeVisible()
  await page.getByRole('link', { name: 'Upload Document' }).click()
  await expect(upload.getByText('.pdf, .jpg, .jpeg, .png, max 10MB')).toBeVisible()
  await expect(upload.getByText('A PDF keeps what is in it')).toBeVisible()
  await upload.getByLabel('QR code').selectOption({ label: 'MH 12 QX 4827 · Ramesh Kulkarni' })
  await upload.getByLabel('Document type').selectOption('license')
  await upload.getByText('Front', { exact: true }).click()
  await upload.getByLabel('Document type').selectOption('insurance')
  await expect(upload.getByText('Front', { exact: true })).toHaveCount(0)
  await upload.getByLabel('Document type').selectOption('license')
  await expect(upload.getByRole('radio', { checked: true })).toHaveCount(0)
  await expect(submit).toBeDisabled()

  const file = upload.getByLabel('File')
  await file.setInputFiles({ name: 'x.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
  await expect(upload.getByText('Only PDF, JPG and PNG files are accepted')).toBeVisible()
  const large = Buffer.alloc(10 * 1024 * 1024 + 1)
  await file.setInputFiles({ name: 'x.pdf', mimeType: 'application/pdf', buffer: large })
  await expect(upload.getByText('File is larger than 10 MB')).toBeVisible()
  await file.setInputFiles([await imageFile('front.png'), await imageFile('back.png')])
  await expect(upload.locator('img.preview')).toBeVisible()
  await expect(upload.getByText('1 more after this one')).toBeVisible()
  await submit.click()
  await expect(upload.getByText('Please select the front or the back')).toBeVisible()
  const side = upload.getByRole('group', { name: 'Side' })
  await expect(side.getByRole('radio', { name: 'Front' })).toBeFocused()
  await expect(side).toHaveAccessibleDescription('Please select the front or the back')
  await upload.getByText('Front', { exact: true }).click()
  await expect(side).toHaveAccessibleDescription('')
  await upload.getByRole('switch', { name: 'Public' }).check()

  problems.expect(/ERR_FAILED/)
  await page.route('**/api/documents/upload/*', (route) => route.abort())
  await submit.click()
  await expect(toast(page, /^Failed to upload document\. /)).toBeVisible()
  await expect(upload.getByText('The file is still chosen')).toHaveCount(1)
  await expect(upload.getByText('front.png')).toBeVisible()
  await page.unroute('**/api/documents/upload/*')
  await submit.click()
  await expect(toast(page, 'Document uploaded successfully!')).toBeVisible()
  await expect(upload.getByText('back.png')).toBeVisible()
  await expect(upload.getByRole('radio', { name: 'Back' })).toBeChecked()
  await submit.click()
  await expect(upload).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Driving licence' }).last()).toBeFocused()
  const front = page.getByRole('article', { name: 'Driving licence, front side' })
  await expect(front).toContainText('Front side · front.png')
  await expect(front.locator('b')).toHaveText('Public')

  await expect(page.getByText('All 2 are public')).toBeVisible()
  const shown = front.getByRole('switch', { name: 'Public' })
  await shown.focus()
  await page.keyboard.press('Space')
  await expect(toast(page, 'Private now. Only you can see it.')).toBeVisible()
  await expect(front.locator('b')).toHaveText('Private')
  await expect(shown).toBeFocused()
  await expect(shown).not.toBeChecked()
  await shown.click()
  const warning = dialogOf(page, 'Make this document public?')
  await expect(warning).toContainText('Shows your date of birth, your address and your signature.')
  await warning.getByRole('button', { name: 'Keep private' }).click()
  await expect(warning).toHaveCount(0)
  await expect(shown).not.toBeChecked()
  await expect(shown).toBeFocused()

  await page.getByRole('link', { name: 'Show all' }).click()
  const all = dialogOf(page, 'Show all 2 documents?')
  await expect(all).toContainText('Public already: Driving licence, back side.')
  await expectWellMade(page)
  await all.getByRole('button', { name: 'Make all 2 public' }).click()
  await expect(toast(page, 'They are public now.')).toBeVisible()
  await expect(shown).toBeChecked()
  const undo = page.getByRole('button', { name: 'Undo' })
  await expect(undo).toBeFocused()
  await undo.click()
  await expect(toast(page, 'Undone. Each document is again as you chose it.')).toBeVisible()
  await expect(shown).not.toBeChecked()
  await expect(undo).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Show all' })).toBeFocused()

  await chooseAct(front, 'Delete')
  const question = dialogOf(page, 'Delete this document?')
  await expect(question).toContainText('Driving licence, front side')
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page, 'Document deleted successfully!')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('a document gets another file, and is shared @main', async ({ page, context, server }) => {
  const premium = { subscription_plan: 'premium' } as const
  const owner = await signIn(context, server, premium, CODES)
  const qrId = owner.codes[0]?.qr_id ?? ''
  const fields = { document_type: 'insurance', expires_on: '2099-05-01', is_public: 'true' }
  await uploadDocument(page, qrId, fields)
  await openReady(page, TAB)
  const entry = page.getByRole('article', { name: 'Insurance' })
  await chooseAct(entry, 'Replace file')
  const replace = dialogOf(page, 'Replace file')
  await expect(replace.getByRole('combobox')).toHaveCount(0)
  await replace.getByLabel('File').setInputFiles(await imageFile('newer.png'))
  await replace.getByRole('button', { name: 'Upload' }).click()
  await expect(toast(page, 'Document uploaded successfully!')).toBeVisible()
  await expect(entry).toHaveCount(1)
  await expect(entry).toContainText('newer.png')
  await expect(entry).toContainText('Ends on 1 May 2099')
  await expect(entry.getByRole('switch')).toBeChecked()
  await expect(entry.getByRole('heading')).toBeFocused()

  await context.route('https://wa.me/**', (route) => route.fulfill({ body: 'WhatsApp' }))
  const opening = page.waitForEvent('popup')
  await chooseAct(entry, 'Share')
  const ways = dialogOf(page, 'Share Insurance')
  await ways.getByRole('button', { name: 'WhatsApp' }).click()
  await expect(toast(page, 'WhatsApp opens with the link')).toBeVisible()
  await (await opening).close()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Documents', level: 1 })).toBeVisible()

  await chooseAct(entry, 'Share')
  await ways.getByRole('link', { name: 'Email' }).click()
  await ways.getByLabel('Email address').fill('meera@example.in')
  await ways.getByRole('button', { name: 'Send' }).click()
  await expect(ways.getByRole('link', { name: 'Open the link' })).toHaveAttribute(
    'href',
    /^mailto:/,
  )
  await ways.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('heading', { name: 'Documents', level: 1 })).toBeVisible()
})

test('an answer that is late does not undo what was switched after it', async ({
  page,
  context,
  server,
}) => {
  const owner = await signIn(context, server, {}, [{}])
  const qrId = owner.codes[0]?.qr_id ?? ''
  const { id } = await uploadDocument(page, qrId, { document_type: 'puc' })
  await uploadDocument(page, qrId, { document_type: 'insurance' })
  await openReady(page, TAB)
  const [first, second] = ['Pollution certificate (PUC)', 'Insurance'].map((name) =>
    page.getByRole('article', { name }).getByRole('switch', { name: 'Public' }),
  ) as [Locator, Locator]
  let answer = () => {}
  const done = new Promise<void>((resolve) => {
    page.route(`**/${id}/visibility*`, async (route) => {
      const response = await route.fetch()
      resolve()
      await new Promise<void>((release) => {
        answer = release
      })
      await route.fulfill({ response })
    })
  })
  await first.click()
  await done
  await second.click()
  await expect(toast(page, 'Public now. Anyone who scans can see it.')).toBeVisible()
  answer()
  await expect(first).toBeChecked()
  await expect(second).toBeChecked()
})

test('a file is dropped, and its upload shows a percentage', async ({ page, context, server }) => {
  await signIn(context, server, {}, [{}])
  await openReady(page, `${TAB}&upload=1`)
  const upload = dialog(page)
  await upload.getByLabel('Document type').selectOption('puc')
  const transfer = await page.evaluateHandle((pdf) => {
    const dropped = new DataTransfer()
    const bytes = new Uint8Array(4_000_000)
    bytes.set(new TextEncoder().encode('%PDF-1.7\n'))
    bytes.set(new TextEncoder().encode(pdf), bytes.length - pdf.length)
    dropped.items.add(new File([bytes], 'puc.pdf', { type: 'application/pdf' }))
    return dropped
  }, PDF.toString())
  const isLeftToBrowser = await upload.getByRole('heading').evaluate((beside, dataTransfer) => {
    const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
    return beside.dispatchEvent(drop)
  }, transfer)
  expect(isLeftToBrowser).toBe(false)
  await upload.getByLabel('File').dispatchEvent('drop', { dataTransfer: transfer })
  await expect(upload.getByText('puc.pdf')).toBeVisible()
  const arrive = await hold(page, '**/api/documents/upload/*')
  await upload.getByRole('button', { name: 'Upload' }).click()
  await expect(upload.getByRole('progressbar', { name: 'Upload' })).toBeVisible()
  await expect(upload.getByText(/^\d+%$/)).toBeVisible()
  await expect(upload.getByRole('button', { name: 'Uploading…' })).toBeDisabled()
  arrive()
  await expect(toast(page, 'Document uploaded successfully!')).toBeVisible()
  await expect(page.getByRole('article', { name: 'Pollution certificate (PUC)' })).toBeVisible()
})

test('every state is accessible, in light and dark mode @both @slow', async ({
  page,
  context,
  server,
}) => {
  const owner = await signIn(context, server, { subscription_plan: 'premium' }, [
    ...CODES,
    { owner_name: LONG_NAME, vehicle_registration: LONG_NAME },
  ])
  const qrId = owner.codes[0]?.qr_id ?? ''
  const rc = { document_type: 'rc_book', document_side: 'front', is_public: 'true' }
  const { id } = await uploadDocument(page, qrId, rc, await imageFile())
  await uploadDocument(page, qrId, { document_type: 'insurance' })
  await page.request.get(`/police/${qrId}`, { headers: { Cookie: '' } })
  const dialogs = ['replace', 'ways', 'delete'].map((each) => `&${each}=${id}`)
  for (const query of ['', '&q=scooty', '&upload=1', ...dialogs]) {
    await openReady(page, TAB + query)
    await expectWellMade(page)
  }
  await page.setViewportSize({ width: 320, height: 640 })
  await openReady(page, TAB)
  await page.getByRole('article').last().locator('summary').click()
  await expectWellMade(page)
  await page.keyboard.press('Escape')
  await page.getByText('Police view opened').click()
  await expect(page.getByText('the list of documents')).toBeVisible()
  await expectWellMade(page)
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a document is uploaded, shown and deleted', async ({ page, context, server }) => {
    await signIn(context, server, {}, [{}])
    await page.goto(TAB)
    await page.getByRole('link', { name: 'Upload Document' }).click()
    await page.getByLabel('Document type').selectOption('insurance')
    const submit = page.getByRole('button', { name: 'Upload', exact: true })
    await submit.click()
    // The browser itself asks for missing fields.
    await expect(page.getByLabel('File')).toBeFocused()
    await expect(page.getByLabel('Document type')).toHaveValue('insurance')
    await page.getByLabel('File').setInputFiles(PDF_FILE)
    // The browser itself says which file was chosen.
    await expect(page.getByLabel('File')).toHaveCSS('opacity', '1')
    await expect(page.getByText('Choose a file')).toBeHidden()
    await submit.click()
    await expect(page.getByText('Document uploaded successfully!')).toBeVisible()
    const card = page.getByRole('article', { name: 'Insurance' })
    await card.getByRole('switch', { name: 'Public' }).check()
    await card.getByRole('button', { name: 'Save Public' }).click()
    await expect(page.getByText('Public now. Anyone who scans can see it.')).toBeVisible()
    await expect(card.getByRole('switch', { name: 'Public' })).toBeChecked()
    await chooseAct(card, 'Delete')
    await page.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('Document deleted successfully!')).toBeVisible()
    await expect(page.getByText('No documents yet.')).toBeVisible()
  })
})

test.describe('with a limit on uploads', () => {
  test.use({ serverEnv: {} })

  test('above the limit the page says when to continue, and the chosen file stays selected', async ({
    page,
    context,
    server,
    problems,
  }) => {
    const { codes } = await signIn(context, server, {}, [{ owner_name: 'Meera' }])
    await openReady(page, TAB)
    await page.getByRole('link', { name: 'Upload Document' }).first().click()
    const upload = dialog(page)
    for (let n = 0; n < 30; n++) {
      const answer = await sendNothing(page, codes[0]?.qr_id ?? '')
      expect(answer.status()).toBe(415)
    }
    await upload.getByLabel('Document type').selectOption('insurance')
    // Large, so that it is refused while most of it is not sent yet.
    const buffer = Buffer.alloc(9_000_000, ' ')
    await upload.getByLabel('File').setInputFiles({ ...PDF_FILE, buffer })
    problems.expect(/429/)
    await upload.getByRole('button', { name: 'Upload' }).click()
    await expect(toast(page, /^Failed to upload document\. /)).toBeVisible()
    const refusal = /30 files can be sent in an hour\. Try again in \d+ minutes\./
    await expect(upload.getByText(refusal)).toBeVisible()
    await expect(upload.getByText('policy.pdf')).toBeVisible()
    await expect(upload.getByLabel('Document type')).toHaveValue('insurance')
  })
})

/** A file that is no document counts too. */
function sendNothing(page: Page, qrId: string) {
  return page.request.post(`/api/documents/upload/${qrId}`, {
    multipart: { document_type: 'puc', file: { ...PDF_FILE, buffer: Buffer.from('x') } },
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  })
}

test('a search finds papers by their kind, and leads to the others of their code @both', async ({
  page,
  context,
  server,
}) => {
  const { codes } = await signIn(context, server, {}, CODES)
  for (const document_type of ['puc', 'road_tax']) {
    await uploadDocument(page, codes[0]?.qr_id ?? '', { document_type })
  }
  await uploadDocument(page, codes[1]?.qr_id ?? '', { document_type: 'road_tax' })
  await openReady(page, TAB)
  await page.getByRole('searchbox', { name: 'Search QR codes and documents' }).fill('puc')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/q=puc/)
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByRole('article')).toHaveAccessibleName('Pollution certificate (PUC)')
  await expectWellMade(page)
  await page.getByRole('link', { name: 'Show 1 more' }).click()
  await expect(page.getByRole('article')).toHaveCount(2)
})
