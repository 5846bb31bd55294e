import type { Page } from '@playwright/test'
import axe from 'axe-core'
import { LANGS, LANGUAGES } from '#domain/languages/languages.ts'
import { type FinderState, makeFinderStates } from '#tests/e2e/support/finder-states.ts'
import { type RunningServer, startServer } from '#tests/e2e/support/server.ts'
import { test as base, expect, expectAccessible } from '#tests/e2e/support/test.ts'

type Filled = { server: RunningServer; states: FinderState[] }

/** One server for the languages of a worker: the pages are only read, and what is sent is refused. */
const test = base.extend<object, { filled: Filled }>({
  filled: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from here
    async ({}, use) => {
      const server = await startServer({ RATE_LIMITS: 'off' })
      await use({ server, states: await makeFinderStates(server) })
      await server.stop()
    },
    { scope: 'worker' },
  ],
  server: async ({ filled }, use) => use(filled.server),
})

test.use({ viewport: { width: 320, height: 640 } })

/** The words that are broken into two lines, but for those that end a line with a hyphen. */
function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const broken: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const text = texts.currentNode
      if (!text.parentElement?.checkVisibility()) continue
      if (text.parentElement.closest('.vh, style, option')) continue
      for (const { 0: word, index } of (text.textContent ?? '').matchAll(/[^\s-]+/g)) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        const tops = [...range.getClientRects()].map(({ top }) => top)
        const line = Number.parseFloat(getComputedStyle(text.parentElement).fontSize)
        if (Math.max(...tops) - Math.min(...tops) > line / 2) broken.push(word)
      }
    }
    return broken
  })
}

/** The texts that reach out of the box they are in or out of the page, and how far the page scrolls sideways. */
function textsOutside(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isBox = (style: CSSStyleDeclaration) =>
      style.borderInlineStartWidth !== '0px' || style.backgroundColor !== 'rgba(0, 0, 0, 0)'
    const { scrollWidth, clientWidth } = document.documentElement
    const outside = scrollWidth > clientWidth ? [`${scrollWidth} pixels`] : []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const node = texts.currentNode
      const parent = node.parentElement
      if (!parent?.checkVisibility() || !node.textContent?.trim()) continue
      if (parent.closest('.vh, style, option')) continue
      let box: Element | null = parent
      while (box && !isBox(getComputedStyle(box))) box = box.parentElement
      const page = { left: 0, right: clientWidth }
      const { left, right } = box && box !== document.body ? box.getBoundingClientRect() : page
      const range = document.createRange()
      range.selectNodeContents(node)
      const rects = [...range.getClientRects()]
      const isOut = rects.some((each) => each.left < left - 1 || each.right > right + 1)
      if (isOut) outside.push(node.textContent.trim())
    }
    return outside
  })
}

/** axe's rules, but for contrast: it is the same in each language, and takes longer than all others. */
const RULES = axe
  .getRules(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'])
  .map(({ ruleId }) => ruleId)
  .filter((rule) => rule !== 'color-contrast')
/** Those that words can break: names, languages and labels that must differ. The others see the same page. */
const RULES_OF_WORDS = RULES.filter((rule) =>
  /(?:^|-)(?:name|alt|lang|label|title|heading|unique|purpose|block)(?:$|-)/.test(rule),
)

test('the rules of words are some of all', () => {
  expect(RULES_OF_WORDS).toEqual(
    expect.arrayContaining(['button-name', 'link-name', 'valid-lang', 'label', 'landmark-unique']),
  )
  expect(RULES_OF_WORDS.length).toBeLessThan(RULES.length / 2)
})

for (const lang of LANGS) {
  test.describe(lang, () => {
    test.use({ locale: lang })

    test(`every page in ${LANGUAGES[lang].name} fits the smallest phone and is accessible`, async ({
      page,
      filled,
      problems,
    }) => {
      problems.expect(/status of 4\d\d/)
      const outside: Record<string, string[]> = {}
      for (const state of filled.states) {
        await openState(page, filled.server, state)
        await expect(page.locator('html')).toHaveAttribute('lang', lang)
        const texts = [...(await textsOutside(page)), ...(await brokenWords(page))]
        if (texts.length > 0) outside[state.name] = texts
        await expectAccessible(page, ...(lang === 'en' ? RULES : RULES_OF_WORDS))
      }
      expect(outside).toEqual({})
    })
  })
}

async function openState(
  page: Page,
  { url }: RunningServer,
  { path, isSent, cookie: value }: FinderState,
): Promise<void> {
  const context = page.context()
  await context.clearCookies({ name: 'driveqr' })
  if (value) {
    await context.addCookies([{ name: 'driveqr', value, httpOnly: true, sameSite: 'Lax', url }])
  }
  await page.goto(path)
  if (isSent) await sendEmpty(page)
}

async function sendEmpty(page: Page): Promise<void> {
  const answered = page.waitForResponse((response) => response.request().method() === 'POST')
  const form = page.locator('form[method=post]').last()
  await form.evaluate((each) => (each as HTMLFormElement).submit())
  const answer = await answered
  expect(answer.status()).toBeGreaterThanOrEqual(400)
  await page.waitForLoadState()
}
