import { makeFinderStates } from '#tests/e2e/support/finder-states.ts'
import { expect, test } from '#tests/e2e/support/test.ts'

/** The elements that are read from left to right on every page. */
const RUNS = {
  phone: String.raw`\+91 \d{5} \d{5}`,
  plate: 'MH 12 QX 4827',
  code: String.raw`\b[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}\b`,
  location: String.raw`\d+\.\d{5}, \d+\.\d{5}`,
  time: String.raw`\d+:\d\d\s[AP]M`,
}
const PAGES = ['scan', 'message', 'conversation', 'police', 'claim', 'take', 'transfer-offered']

test.use({ locale: 'ur', serverEnv: { RATE_LIMITS: 'off' } })

test('in Urdu pages are mirrored, but numbers, plates and codes go from left to right', async ({
  page,
  server,
}) => {
  const states = await makeFinderStates(server)
  const seen = new Set<string>()
  for (const { name, path, cookie: value } of states) {
    if (!PAGES.includes(name)) continue
    const cookie = { name: 'driveqr', httpOnly: true, url: server.url }
    if (value) await page.context().addCookies([{ ...cookie, value }])
    await page.goto(path)
    const { backward, kinds, unturned, menu } = await page.evaluate(look, RUNS)
    expect([name, backward, unturned]).toEqual([name, [], 0])
    expect(menu).toBeLessThan(0.5)
    for (const kind of kinds) seen.add(kind)
  }
  expect([...seen].sort()).toEqual([...Object.keys(RUNS), 'turned'].sort())
})

/** Runs in the page: which runs are there, and which go backward; the icons that point and are not turned. */
function look(runs: Record<string, string>) {
  const kinds: string[] = []
  const backward: string[] = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode
    if (!text.parentElement?.checkVisibility()) continue
    const x = (at: number) => {
      const range = document.createRange()
      range.setStart(text, at)
      range.setEnd(text, at + 1)
      return range.getBoundingClientRect().x
    }
    for (const [kind, run] of Object.entries(runs)) {
      for (const { 0: found, index } of (text.textContent ?? '').matchAll(new RegExp(run, 'g'))) {
        kinds.push(kind)
        if (x(index) >= x(index + found.length - 1)) backward.push(found)
      }
    }
  }
  const icons = [...document.querySelectorAll('svg.turn')]
  if (icons.length > 0) kinds.push('turned')
  const unturned = icons.filter((icon) => getComputedStyle(icon).transform[7] !== '-').length
  const menu = document.querySelector('.lang')?.getBoundingClientRect().x ?? Number.NaN
  return { kinds, backward, unturned, menu: menu / innerWidth }
}
