import type { Page } from '@playwright/test'
import { LANGS } from '#locales/languages.ts'
import { type FinderState, makeFinderStates } from '#tests/e2e/support/finder-states.ts'
import { findMisfits } from '#tests/e2e/support/misfits.ts'
import type { RunningServer } from '#tests/e2e/support/server.ts'
import {
  doubleLetters,
  expect,
  expectNoSideways,
  expectWellMade,
  test,
} from '#tests/e2e/support/test.ts'

// The pages are only read, and every form is refused.
test.use({ viewport: { width: 320, height: 640 }, sharedEnv: { RATE_LIMITS: 'off' } })

const filled = new Map<RunningServer, FinderState[]>()

async function statesOf(server: RunningServer): Promise<FinderState[]> {
  const states = filled.get(server) ?? (await makeFinderStates(server))
  filled.set(server, states)
  return states
}

/** Returns the language of a page, and its elements without their words. */
function readPage(page: Page): Promise<{ lang: string; outline: string }> {
  return page.evaluate(() => {
    const naming = ['aria-label', 'alt', 'title', 'placeholder']
    const outline = [...document.body.querySelectorAll('*')].map((element) => {
      const names = naming.filter((name) => element.getAttribute(name)?.trim())
      const hasText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      )
      return [element.localName, ...names, ...(hasText ? ['text'] : [])].join(' ')
    })
    return { lang: document.documentElement.lang, outline: outline.join('\n') }
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
          const misfits = await findMisfits(page)
          if (misfits.length > 0) faults[`${state.name} in ${lang}`] = misfits
          if (lang === 'en') {
            english.set(state, read.outline)
            await expectWellMade(page)
            await doubleLetters(page)
            await expectNoSideways(page)
          }
          // The page for axe is the same then, with a word wherever the English page has one.
          expect(read.outline, `${state.name} in ${lang}`).toBe(english.get(state))
        }
      }
    }
    expect(faults).toEqual({})
  })
}

/** Groups a page with its refused form, which stands behind it, so that both are opened once. */
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
