import type { Locator } from '@playwright/test'
import { loadCatalogue } from '#locales/catalogue.ts'
import { LANGUAGES } from '#locales/languages.ts'
import { signIn } from '#tests/e2e/support/dashboard.ts'
import { ageForm } from '#tests/e2e/support/finder.ts'
import { openReady, toast, untilReady } from '#tests/e2e/support/page.ts'
import { expect, expectWellMade, test } from '#tests/e2e/support/test.ts'
import { CHILD } from '#tests/support/families.ts'
import { CODE } from '#tests/support/finder.ts'

const TYPED = { ta: 'சாவி டீக்கடையில் இருந்தது.', ur: 'چابیاں چائے کی دکان پر تھیں۔' }

test('a dialog that cannot be opened is said so in the language of the page', async ({
  page,
  context,
  server,
  problems,
}) => {
  problems.expect(/ERR_FAILED/)
  const { child } = await loadCatalogue('hi')
  const { codes } = await signIn(context, server, { subscription_plan: 'premium' }, [CHILD])
  await openReady(page, `/child-register?qr=${codes[0]?.qr_id}&lang=hi`)
  await page.route(/part=dialog/, (route) => route.abort())
  await page.getByRole('link', { name: child.forgot }).click()
  await expect(toast(page, child.askFailed)).toBeVisible()
})

for (const lang of ['ta', 'ur'] as const) {
  const { name, dir } = LANGUAGES[lang]

  test(`from the scan to the owner's answer in ${name}`, async ({ page, browser, server }) => {
    const words = await loadCatalogue(lang)
    const ownersBrowser = await browser.newContext({ baseURL: server.url })
    const owner = await signIn(ownersBrowser, server, { name: 'Ramesh' }, [CODE])

    await page.goto(`/scan/${owner.codes[0]?.qr_id}`)
    await page.getByRole('link', { name: 'English' }).click()
    await page.getByRole('link', { name, exact: true }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', lang)
    await expect(page.getByRole('heading', { name: words.scan.things.keys.found })).toBeVisible()
    await expectLeftToRight(page.getByText('098765 43210'), '098765', '43210')
    await expectLeftToRight(page.getByText('MH 12 QX 4827'), 'MH', '4827')
    await expectWellMade(page)

    await page.getByRole('link', { name: words.scan.messageOwner }).click()
    await untilReady(page)
    await expect(page.getByRole('heading', { name: words.scan.messageOwner })).toBeVisible()
    await page.getByText(words.scan.things.keys.reason).click()
    await page.getByLabel(words.message.text).fill(TYPED[lang])
    await page.getByLabel(words.message.tellMe).fill('+91 98450 12345')
    await expectWellMade(page)
    await ageForm(page, server)
    await page.getByRole('button', { name: words.message.send }).click()

    await expect(page.getByRole('heading', { name: words.conversation.sent })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', lang)
    const log = page.getByRole('log', { name: words.conversation.log })
    const own = log.getByRole('listitem').filter({ hasText: TYPED[lang] })
    await expect(own).toContainText(words.scan.things.keys.reason)

    const { request } = ownersBrowser
    const { conversations } = await (await request.get('/api/conversations')).json()
    const answers = `/api/conversations/${conversations[0].id}/messages`
    for (const data of [{ text: 'I am coming now' }, { share_number: true }]) {
      const headers = { 'Sec-Fetch-Site': 'same-origin' }
      expect((await request.post(answers, { data, headers })).ok()).toBe(true)
    }
    await ownersBrowser.close()
    const answer = log.getByRole('listitem').filter({
      hasText: words.conversation.quick.coming,
    })
    await expect(answer).toBeVisible()
    const number = log.getByRole('link', { name: '+91 98765 43210' })
    await expectLeftToRight(number.getByText('+91'), '+91', '43210')
    const [ownBox, answerBox] = [await boxOf(own), await boxOf(answer)]
    expect(ownBox.x < answerBox.x).toBe(dir === 'rtl')
    await expectWellMade(page)
  })
}

/** The first part of a text is left of its last part, on a page of either direction. */
async function expectLeftToRight(text: Locator, first: string, last: string): Promise<void> {
  const [left, right] = await text.evaluate(
    (element, parts) =>
      parts.map((part) => {
        const node = [...element.childNodes].find((each) => each.textContent?.includes(part))
        const range = document.createRange()
        const start = node?.textContent?.indexOf(part) ?? 0
        range.setStart(node as Node, start)
        range.setEnd(node as Node, start + part.length)
        return range.getBoundingClientRect().x
      }),
    [first, last],
  )
  expect(left).toBeLessThan(right as number)
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error(`${locator} is not shown`)
  return box
}
