import type { Page } from '@playwright/test'
import { LANGS } from '#locales/languages.ts'
import { type FinderState, makeFinderStates } from '#tests/e2e/support/finder-states.ts'
import type { RunningServer } from '#tests/e2e/support/server.ts'
import {
  doubleLetters,
  expect,
  expectAccessible,
  expectNoSideways,
  test,
} from '#tests/e2e/support/test.ts'

// The pages are only read, and what is sent is refused.
test.use({ viewport: { width: 320, height: 640 }, sharedEnv: { RATE_LIMITS: 'off' } })

const filled = new Map<RunningServer, FinderState[]>()

async function statesOf(server: RunningServer): Promise<FinderState[]> {
  const states = filled.get(server) ?? (await makeFinderStates(server))
  filled.set(server, states)
  return states
}

/** The language of a page, what is wrong with its words, and what it is made of but for its words. */
function readPage(page: Page): Promise<{ lang: string; faults: string[]; outline: string }> {
  return page.evaluate(() => {
    const isBox = (style: CSSStyleDeclaration) =>
      style.borderInlineStartWidth !== '0px' || style.backgroundColor !== 'rgba(0, 0, 0, 0)'
    const { lang, scrollWidth, clientWidth } = document.documentElement
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
    return { lang, faults, outline: outline.join('\n') }
  })
}

/** In parts, so that they run beside each other. */
const PARTS = 4

for (let part = 0; part < PARTS; part++) {
  test(`every page is accessible and fits the smallest phone in each language, part ${part + 1}`, async ({
    page,
    server,
    problems,
  }) => {
    problems.expect(/status of 4\d\d/)
    const faults: Record<string, string[]> = {}
    const addresses = byAddress(await statesOf(server)).filter((_, index) => index % PARTS === part)
    for (const states of addresses) {
      const english = new Map<FinderState, string>()
      for (const lang of LANGS) {
        await openIn(page, server, lang, states)
        for (const state of states) {
          if (state.isSent) await sendEmpty(page)
          const read = await readPage(page)
          expect(read.lang).toBe(lang)
          if (read.faults.length > 0) faults[`${state.name} in ${lang}`] = read.faults
          if (lang === 'en') {
            english.set(state, read.outline)
            await expectAccessible(page)
            await doubleLetters(page)
            await expectNoSideways(page)
          }
          // What axe looks at is the same page then, with a word wherever there is one in English.
          expect(read.outline, `${state.name} in ${lang}`).toBe(english.get(state))
        }
      }
    }
    expect(faults).toEqual({})
  })
}

/** A page and the same with its form refused, which stands behind it: what is opened once for both. */
function byAddress(states: FinderState[]): FinderState[][] {
  const addresses: FinderState[][] = []
  for (const state of states) {
    const open = addresses.at(-1)
    const isOpen = open?.[0]?.path === state.path && open[0].cookie === state.cookie
    if (isOpen && state.isSent) open.push(state)
    else addresses.push([state])
  }
  return addresses
}

async function openIn(
  page: Page,
  { url }: RunningServer,
  lang: string,
  [state]: FinderState[],
): Promise<void> {
  const { path = '', cookie: value } = state ?? {}
  const context = page.context()
  await context.clearCookies()
  await context.addCookies([
    { name: 'lang', value: lang, url },
    ...(value ? [{ name: 'driveqr', value, httpOnly: true, sameSite: 'Lax' as const, url }] : []),
  ])
  await page.goto(path)
}

async function sendEmpty(page: Page): Promise<void> {
  const answered = page.waitForResponse((response) => response.request().method() === 'POST')
  // The page that the form stands on has loaded already: waiting for its state would be waiting for nothing.
  const loaded = page.waitForEvent('load')
  const form = page.locator('form[method=post]').last()
  await form.evaluate((each) => (each as HTMLFormElement).submit())
  const answer = await answered
  expect(answer.status()).toBeGreaterThanOrEqual(400)
  await loaded
}
