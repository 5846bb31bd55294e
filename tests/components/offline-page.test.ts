import { beforeEach, expect, test, vi } from 'vitest'
import { offlinePage } from '#islands/alerts/_offline-page.ts'
import { loadCatalogue } from '#locales/catalogue.ts'
import { LANGS } from '#locales/languages.ts'

beforeEach(async () => {
  const texts = LANGS.map(async (lang) => {
    const { offline, scan } = await loadCatalogue(lang)
    return [lang, [offline.title, offline.text, scan.tryAgain]]
  })
  vi.stubGlobal('OFFLINE_TEXTS', Object.fromEntries(await Promise.all(texts)))
  return () => vi.unstubAllGlobals()
})

test.each([
  [['hi-IN', 'en'], 'lang="hi" dir="ltr"', 'आप ऑफ़लाइन हैं'],
  [['fr', 'ur-PK'], 'lang="ur" dir="rtl"', 'آپ آف لائن ہیں'],
  [['en-IN'], 'lang="en" dir="ltr"', 'You are offline'],
  [['fr'], 'lang="en" dir="ltr"', 'You are offline'],
  [[], 'lang="en" dir="ltr"', 'You are offline'],
])('the page without a network for %j', async (languages, attributes, title) => {
  const page = offlinePage(languages)
  const html = await page.text()
  expect(page.status).toBe(503)
  expect(html).toContain(`<html ${attributes}>`)
  expect(html).toContain(`<h1>${title}</h1>`)
  expect(html.length).toBeLessThan(1_200)
})
