import type { Locator, Page } from '@playwright/test'
import { expect } from '#tests/e2e/support/test.ts'

/** Opens a page and waits until its handlers are installed. Before that a form would be posted. */
export async function openReady(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await untilReady(page)
}

export function openDashboard(page: Page, query = ''): Promise<void> {
  return openReady(page, `/dashboard${query}`)
}

/** Waits until the handlers of the current page are installed. */
export async function untilReady(page: Page): Promise<void> {
  // A page that is only partly loaded has no islands yet.
  await page.waitForLoadState()
  const scripts = await page.locator('script[type="module"]').count()
  if (scripts > 0) await expect(page.locator('html[data-ready]')).toHaveCount(1)
  await expect(page.locator('drive-island:not([ready])')).toHaveCount(0)
}

/** Holds the requests to a URL until the returned function is called, and then sends them or fails them. */
export async function hold(
  page: Page,
  url: string | RegExp,
  then: 'continue' | 'abort' = 'continue',
): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(url, async (route) => {
    await released
    await route[then]()
  })
  return release
}

/** Delays React, whose handlers come after those of the page's own script. */
export function holdReact(page: Page): Promise<() => void> {
  return hold(page, '**/assets/{child,claim,qr,reset}-form-*.js')
}

/** For a test that ends sessions: a stream of a session that has ended logs an error. */
export async function withoutStream(page: Page): Promise<void> {
  await page.route('**/api/conversations/events', (route) => route.fulfill({ status: 204 }))
}

/** The result of an act: in the bar, under the head of a dialog, or above the first field of a public form. */
export function toast(page: Page, text: string | RegExp): Locator {
  return page.locator('.said, .note[role="alert"]').getByText(text, { exact: true })
}

/** The title of the page of a new code. */
export function made(page: Page): Locator {
  return page.getByRole('heading', { name: 'Your code is ready' })
}

/** Opens the fold in the first tab of a code's form. */
export async function unfold(dialog: Locator): Promise<void> {
  await dialog.getByText('Email, city, message to finders').click()
}

/** The card of a code, by its heading. */
export function card(page: Page, name: string): Locator {
  return page.getByRole('article', { name })
}

/** Opens the menu beside the main act of My QR Codes. */
export async function openWays(page: Page): Promise<void> {
  await page.locator('.lead-acts summary').click()
}

/** Opens the menu that a phone has in place of the choices for the list. */
export async function openView(page: Page): Promise<void> {
  const view = page.locator('.finds summary')
  if (await view.isVisible()) await view.click()
}

/** Returns a choice for the list. */
export async function choiceOf(page: Page, name: string): Promise<Locator> {
  await openView(page)
  return page.getByRole('combobox', { name, exact: true })
}

/** The dialog, when it is ready. Before that its buttons would post their forms. */
export function dialogOf(page: Page, name?: string): Locator {
  const live = page.locator('drive-island[ready] dialog:modal, :not(drive-island) > dialog:modal')
  return name ? live.and(page.getByRole('dialog', { name })) : live
}

/** A browser's report of a lost answer. */
export const LOST = /ERR_CONNECTION_RESET/

/** The server does what the next form asks for, but its answer is lost on the way. */
export async function loseNextAnswer(page: Page): Promise<void> {
  let isLost = false
  await page.route('**', async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.fallback()
    isLost = true
    await route.fetch({ maxRedirects: 0 })
    await route.abort('connectionreset')
  })
}
