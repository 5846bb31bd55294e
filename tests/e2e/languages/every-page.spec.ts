import type { Page } from '@playwright/test'
import { LANGS } from '#domain/languages/languages.ts'
import { type FinderState, makeFinderStates } from '#tests/e2e/support/finder-states.ts'
import { type RunningServer, startServer } from '#tests/e2e/support/server.ts'
import {
  test as base,
  doubleLetters,
  expect,
  expectAccessible,
  expectNoSideways,
} from '#tests/e2e/support/test.ts'

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

/** What is wrong with the words of a page, and what it is made of but for its words. */
function readPage(page: Page): Promise<{ faults: string[]; outline: string[] }> {
  return page.evaluate(() => {
    const isBox = (style: CSSStyleDeclaration) =>
      style.borderInlineStartWidth !== '0px' || style.backgroundColor !== 'rgba(0, 0, 0, 0)'
    const { scrollWidth, clientWidth } = document.documentElement
    const faults = scrollWidth > clientWidth ? [`scrolls sideways: ${scrollWidth} pixels`] : []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const node = texts.currentNode
      const text = node.textContent ?? ''
      const parent = node.parentElement
      if (!text.trim() || !parent?.checkVisibility() || parent.closest('.vh, style, option'))
        continue
      let box: Element | null = parent
      while (box && !isBox(getComputedStyle(box))) box = box.parentElement
      const page = { left: 0, right: clientWidth }
      const { left, right } = box && box !== document.body ? box.getBoundingClientRect() : page
      const range = document.createRange()
      range.selectNodeContents(node)
      const rects = [...range.getClientRects()]
      const isOut = rects.some((each) => each.left < left - 1 || each.right > right + 1)
      if (isOut) faults.push(`outside of its box: ${text.trim()}`)
      if (rects.length < 2) continue
      const line = Number.parseFloat(getComputedStyle(parent).fontSize)
      // A word may end a line with its hyphen.
      for (const { 0: word, index } of text.matchAll(/[^\s-]+/g)) {
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const tops = [...range.getClientRects()].map(({ top }) => top)
        if (Math.max(...tops) - Math.min(...tops) > line / 2) faults.push(`broken: ${word}`)
      }
    }
    const naming = ['aria-label', 'alt', 'title', 'placeholder']
    const outline = [...document.body.querySelectorAll('*')].map((element) => {
      const names = naming.filter((name) => element.getAttribute(name)?.trim())
      const hasText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      )
      return [element.localName, ...names, ...(hasText ? ['text'] : [])].join(' ')
    })
    return { faults, outline }
  })
}

/** In parts, so that they run beside each other. */
const PARTS = 4

for (let part = 0; part < PARTS; part++) {
  test(`every page is accessible and fits the smallest phone in each language, part ${part + 1}`, async ({
    page,
    filled,
    problems,
  }) => {
    problems.expect(/status of 4\d\d/)
    const faults: Record<string, string[]> = {}
    for (const state of filled.states.filter((_, index) => index % PARTS === part)) {
      let english: string[] = []
      for (const lang of LANGS) {
        await page.context().addCookies([{ name: 'lang', value: lang, url: filled.server.url }])
        await openState(page, filled.server, state)
        await expect(page.locator('html')).toHaveAttribute('lang', lang)
        const read = await readPage(page)
        if (read.faults.length > 0) faults[`${state.name} in ${lang}`] = read.faults
        if (lang === 'en') {
          english = read.outline
          await expectAccessible(page)
          await doubleLetters(page)
          await expectNoSideways(page)
        }
        // What axe looks at is the same page then, with a word wherever there is one in English.
        expect(read.outline, `${state.name} in ${lang}`).toEqual(english)
      }
    }
    expect(faults).toEqual({})
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
