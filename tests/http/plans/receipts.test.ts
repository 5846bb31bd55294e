import { PDFiumLibrary } from '@hyzyla/pdfium'
import { describe, expect, test } from 'vitest'
import { openMoney, type Signed } from '#tests/support/money.ts'
import { contentsOf } from '#tests/support/pdf.ts'
import { addDiscount } from '#tests/support/promo.ts'

const OPERATOR = {
  OPERATOR_NAME: 'Sai Key Services',
  OPERATOR_ADDRESS: '2nd floor, Sai Chambers, Pune 411004',
  SUPPORT_EMAIL: 'pay@keys.example.in',
}
const GST = { GSTIN: '27AAAAA0000A1Z5' }

async function openReceipts(env: Record<string, string> = {}) {
  const app = await openMoney(env)
  const { call, asha, db } = app
  async function buy(as: Signed = asha, months: number | null = 1, wish: object = {}) {
    const asked = { requested_plan: 'premium', months: months ?? 1, ...wish }
    const { body } = await call('POST', '/subscription/upgrade', asked, as)
    const path = `/admin/upgrade-requests/${body.request_id}/approve`
    return (await call('POST', path, { months, payment_seen: true })).body.upgrade_request
      .receipt_number as string
  }
  const list = async (as: Signed = asha) =>
    (await call('GET', '/subscription/receipts', undefined, as)).body.receipts
  const download = (number: string, as?: Signed) =>
    app.ask('GET', `/api/subscription/receipts/${number}.pdf`, as && { as })
  async function pdf(number: string, as: Signed = asha) {
    const answer = await download(number, as)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Type')).toBe('application/pdf')
    return Buffer.from(await answer.arrayBuffer())
  }
  const rename = (name: string) =>
    db.updateTable('accounts').set({ name }).where('id', '=', asha.id).execute()
  return { ...app, buy, list, download, pdf, rename }
}

/** Returns the text that a reader of the PDF finds. */
async function textOf(pdf: Buffer): Promise<string> {
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(pdf)
  const text = document.getPage(0).getText()
  document.destroy()
  library.destroy()
  return text.replaceAll(/\s+/g, ' ')
}

describe('the receipts of an account', () => {
  test('are listed with amount and period, the newest first', async () => {
    const { buy, list, advance } = await openReceipts()
    const wish = { payment_method: 'upi', payment_reference: '417288901123' }
    await buy(undefined, 1, wish)
    advance(60)
    await buy(undefined, 2)
    expect(await list()).toEqual([
      {
        number: 'R-2026-000002',
        issued_at: '2026-11-20T10:01:00.000Z',
        plan: 'premium',
        from: '2026-12-20T10:00:00.000Z',
        until: '2027-02-20T10:00:00.000Z',
        amount: 1998,
        discount: 0,
        payment_reference: null,
      },
      {
        number: 'R-2026-000001',
        issued_at: '2026-11-20T10:00:00.000Z',
        plan: 'premium',
        from: '2026-11-20T10:00:00.000Z',
        until: '2026-12-20T10:00:00.000Z',
        amount: 999,
        discount: 0,
        payment_reference: '417288901123',
      },
    ])
  })

  test('are its own: others get 404, admins any', async () => {
    const { buy, list, download, signUp, admin, asha } = await openReceipts()
    const ravi = await signUp()
    const moderator = await signUp({ role: 'moderator' })
    const number = await buy()
    expect(await list(ravi)).toEqual([])
    const statuses = []
    for (const as of [asha, admin, ravi, moderator, undefined])
      statuses.push((await download(number, as)).status)
    expect(statuses).toEqual([200, 200, 404, 404, 401])
  })

  test.each(['R-2026-000002', 'R-2026-1', 'nothing', '..%2F..%2Fetc%2Fpasswd'])(
    'do not include %s',
    async (number) => {
      const { buy, download, asha } = await openReceipts()
      await buy()
      expect((await download(number, asha)).status).toBe(404)
    },
  )

  test('are on the page of the plan, with their PDF', async () => {
    const { buy, asha, ...app } = await openReceipts()
    const number = await buy()
    const headers = { Cookie: asha.cookie }
    const page = await app.ask('GET', '/settings/plan', { headers })
    const html = await page.text()
    expect(html).toContain('Until 20 Dec 2026')
    expect(html).toContain('30 days left.')
    expect(html).toContain('20 Nov 2026 to 20 Dec 2026')
    const href = `/settings/plan/receipts/${number}.pdf`
    expect(html).toContain(href)
    const file = await app.ask('GET', href, { headers })
    expect(file.headers.get('Content-Disposition')).toBe(
      `attachment; filename="DriveQR-${number}.pdf"`,
    )
  })

  test('are linked from the mail about the approval', async () => {
    const { buy, mails } = await openReceipts()
    const number = await buy()
    const mail = mails.find(
      ({ subject }) => subject === 'Your DriveQR account has the Premium plan',
    )
    expect(mail?.text).toContain('until 20 Dec 2026')
    expect(mail?.text).toContain(`/settings/plan/receipts/${number}.pdf`)
  })

  test('stay as they were when names, prices and settings change', async () => {
    const { buy, pdf, rename, deps } = await openReceipts({ ...OPERATOR, ...GST })
    const number = await buy()
    const before = await pdf(number)
    await rename('Asha Deshmukh')
    Object.assign(deps.config.operator, { name: 'Another', gstin: undefined, gstRate: 5 })
    Object.assign(deps.config.prices, { premium: 1 })
    expect(await textOf(await pdf(number))).toBe(await textOf(before))
  })
})

describe('the PDF', () => {
  test('names the issuer, the amount, the payer and the plan', async () => {
    const { buy, pdf, asha, call, ...app } = await openReceipts(OPERATOR)
    await addDiscount(app, 20)
    await call('POST', '/promo/redeem', { promo_code: 'OFF20' }, asha)
    const wish = { payment_method: 'upi', payment_reference: '417288901123' }
    const text = await textOf(await pdf(await buy(undefined, 1, wish)))
    for (const part of [
      'Sai Key Services',
      '2nd floor, Sai Chambers, Pune 411004',
      'pay@keys.example.in',
      'Receipt R-2026-000001',
      'Date 20 Nov 2026',
      'Paid by UPI',
      'UTR 417288901123',
      'Received from Asha Patil',
      `Account ${asha.email}`,
      'Premium 20 Nov 2026 to 20 Dec 2026 1 ₹999',
      'Discount (OFF20) −₹200',
      'Received ₹799',
    ])
      expect(text).toContain(part)
    expect(text).not.toContain('GST')
  })

  test('shows the tax that the amount contains where there is a tax number', async () => {
    const { buy, pdf } = await openReceipts({ ...OPERATOR, ...GST })
    const text = await textOf(await pdf(await buy()))
    expect(text).toContain('GSTIN 27AAAAA0000A1Z5')
    expect(text).toContain('The amount contains 18 % GST: ₹152.39.')
  })

  test('has one rule above what was paid, and one above what leads to it', async () => {
    const { buy, pdf, asha, call, ...app } = await openReceipts()
    const plain = await pdf(await buy())
    await addDiscount(app, 20)
    await call('POST', '/promo/redeem', { promo_code: 'OFF20' }, asha)
    const cheaper = await pdf(await buy())
    expect([plain, cheaper].map((each) => rulesIn(each).length)).toEqual([2, 3])
  })

  test('of a plan without end says so', async () => {
    const { buy, pdf } = await openReceipts()
    expect(await textOf(await pdf(await buy(undefined, null)))).toContain(
      'From 20 Nov 2026, no end',
    )
  })

  test('can be read by a screen reader: it has a title, a language and tags', async () => {
    const { buy, pdf } = await openReceipts()
    const raw = (await pdf(await buy())).toString('latin1')
    for (const part of [
      '/Marked true',
      '/StructTreeRoot',
      '/Lang (en-IN)',
      '/DisplayDocTitle true',
      '(Receipt R-2026-000001)',
      '<pdfuaid:part>1</pdfuaid:part>',
      ...['Document', 'H1', 'Table', 'TR', 'TH', 'TD'].map((tag) => `/S /${tag}\n`),
    ])
      expect([part, raw.includes(part)]).toEqual([part, true])
  })

  test.each([
    'आशा पाटील',
    'আশা সেন',
    'ஆஷா குமார்',
    'ఆశా రెడ్డి',
    'ಆಶಾ ಗೌಡ',
    'ആശ നായർ',
    'આશા પટેલ',
    'ਆਸ਼ਾ ਸਿੰਘ',
    'آشا خان',
    'Łukasz Żółć',
    'Аша Петрова',
    'Ελένη',
  ])('prints the name %s with letters of its own alphabet', async (name) => {
    const { buy, pdf, rename } = await openReceipts()
    await rename(name)
    const raw = (await pdf(await buy())).toString('latin1')
    const letters = Buffer.from(name, 'utf16le').swap16().toString('latin1')
    expect(raw.includes(letters.replaceAll(/[\t\n\f\r\b\\()]/g, escaped))).toBe(true)
    expect(hasEmptyBox(Buffer.from(raw, 'latin1'))).toBe(false)
  })

  test('breaks the longest names and addresses into lines', async () => {
    const { buy, pdf, rename } = await openReceipts({
      ...OPERATOR,
      OPERATOR_ADDRESS: 'A'.repeat(200),
    })
    await rename('अ'.repeat(120))
    const document = await textOf(await pdf(await buy()))
    expect(document).toContain('Received ₹999')
  })
})

/** Returns a character as a PDF escapes it. */
function escaped(character: string): string {
  const letters: Record<string, string> = { '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r', '\b': 'b' }
  return `\\${letters[character] ?? character}`
}

/** Whether a letter has no shape, which PDFs show as an empty box: glyph 0 of a font. */
function hasEmptyBox(pdf: Buffer): boolean {
  return contentsOf(pdf).some((content) => /<(?:[0-9a-f]{4})*?0000/.test(content))
}

/** The level lines across a page, in points. */
function rulesIn(pdf: Buffer): string[] {
  const [page = ''] = contentsOf(pdf)
  const lines = page.matchAll(/^(\S+) (\S+) m\n(\S+) \2 l$/gm)
  return [...lines].flatMap(([, x, y = '', end]) => (Number(end) - Number(x) > 400 ? [y] : []))
}
