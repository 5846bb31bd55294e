import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ScanDocument } from '#components/scans/scan-document.tsx'
import { DEFAULT_PUBLIC_MESSAGE } from '#domain/codes/qr.ts'
import { THINGS } from '#domain/codes/visibility.ts'
import { toScanView } from '#domain/scans/public-scan.ts'
import { type MapPart, mapScanParts, type ScanFinding } from '#domain/scans/scan-parts.ts'
import { SCAN_SHEETS, type ScanSheet } from '#domain/scans/scan-sheets.ts'
import type { ScanView } from '#domain/scans/scan-view.ts'
import type { Catalogue } from '#locales/catalogue.ts'
import { loadCatalogue } from '#locales/catalogue.ts'
import { LANGS } from '#locales/languages.ts'
import { documentHtml } from '#routes/_http/render.tsx'
import { type FilledPage, gzipPage, plainPage } from '#routes/scan/_gzip.ts'
import { renderByShape } from '#routes/scan/_template.ts'

const CSS = Object.fromEntries(
  SCAN_SHEETS.map((sheet) => [sheet, `i.${sheet}{color:#1a1710}a>b{content:"<"}`]),
) as Record<ScanSheet, string>
const TEXTS = [
  'Ramesh Kulkarni',
  '<script>alert(1)</script>',
  `"quotes" & 'apostrophes'`,
  'हिन्दी में नाम',
  '&amp; already',
  'a\u2028b',
  '0',
]
const PHONES = ['98765 43210', '+14155550100', 'javascript:alert(1)']
const FIELDS = [
  'owner_name',
  'city_area',
  'blood_group',
  'vehicle_make_model',
  'company_fleet_name',
]

/** A repeatable source of chance, so that a failure can be looked at. */
function chances(seed: number) {
  let state = seed
  const next = () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
  return {
    maybe: <T,>(values: T[]): T | null =>
      next() < 0.4 ? null : (values[Math.floor(next() * values.length)] as T),
  }
}

function randomPage(seed: number, words: Catalogue): ScanFinding {
  const { maybe } = chances(seed)
  const view = randomView(maybe, words)
  const upTo = (most: number) => Array.from({ length: maybe([...Array(most + 1).keys()]) ?? 0 })
  const images = upTo(3).map((_, n) => ({
    id: `image${n}`,
    url: `/api/files/${n}.webp`,
    width: maybe([400]) ?? 1200,
    height: maybe([300]) ?? 800,
  }))
  const messages = upTo(2).map((_, n) => {
    return { id: `message${n}`, title: maybe(TEXTS) ?? 'News', content: maybe(TEXTS) ?? 'a\nb' }
  })
  return images.length + messages.length > 0 ? { view, popup: { images, messages } } : { view }
}

type Maybe = ReturnType<typeof chances>['maybe']

function randomView(maybe: Maybe, words: Catalogue): ScanView {
  const texts = Object.fromEntries(FIELDS.map((field) => [field, maybe(TEXTS)]))
  const qr = {
    qr_id: '7K3MQ9WD4XTP',
    qr_type: 'normal',
    is_active: 1,
    is_claimed: 1,
    is_child_registered: 0,
    claimed_at: null,
    user_is_active: maybe([1]),
    awaits_guardian: 0,
    contact_mode: maybe(['relay']) ?? 'public',
    thing: maybe([...THINGS]) ?? 'keys',
    show_vehicle: maybe([1]),
    show_city: maybe([1]),
    lost_since: maybe(['2026-11-18T08:00:00.000Z']),
    lost_note: maybe(TEXTS),
    lost_reward: maybe(TEXTS),
    pin_hash: maybe(['hash']),
    ...texts,
    contact_phone: maybe(PHONES),
    email: maybe(['asha@example.in', 'a&b@example.in']),
    emergency_contact_name: maybe(TEXTS),
    emergency_contact_phone: maybe(PHONES),
    vehicle_registration: maybe(['MH12QX4827', '22BH1234AA', 'B-MW "4711"']),
    public_message: maybe([DEFAULT_PUBLIC_MESSAGE, ...TEXTS]),
  }
  return toScanView(qr as never, { words, timezone: 'Asia/Kolkata', region: undefined })
}

/** For a page that depends on nothing but its value. */
function fillByShape<T>(render: (value: T) => string, mapParts: (value: T, map: MapPart) => T) {
  const fill = renderByShape({ render, mapParts, nameOf: () => '' })
  return (value: T) => fill(value, undefined)
}

const mapTexts = (texts: string[], map: MapPart) => texts.map((text) => map(text))

const textOf = (page: FilledPage) => plainPage(page).toString()
const unzip = (page: FilledPage) => gunzipSync(gzipPage(page)).toString()

test.each(LANGS)('a filled template equals the page that React renders, in %s', async (lang) => {
  const words = await loadCatalogue(lang)
  const render = (finding: ScanFinding) =>
    documentHtml(<ScanDocument words={words} css={CSS} scan={{ state: 'contact', ...finding }} />)
  const fill = fillByShape(render, mapScanParts)
  // The shapes are the same in each language.
  const views = lang === 'en' ? 400 : 60
  for (let seed = 1; seed <= views; seed++) {
    const page = randomPage(seed * 7919, words)
    const rendered = render(page)
    expect(textOf(fill(page))).toBe(rendered)
    const again = fill(page)
    expect(textOf(again)).toBe(rendered)
    expect(unzip(again)).toBe(rendered)
  }
})

test.each([
  ['no texts', ['', '', '']],
  ['texts that are alike', ['98450 12345', '98450 12345', '+919845012345']],
  ['a text that repeats itself', ['ab'.repeat(900), 'ab', 'abab']],
  [
    'characters of one byte, two and three',
    [allOf(40, 59), allOf(128, 2_000), allOf(2_000, 9_000)],
  ],
  ['more than the window of its compression', ['कख'.repeat(6_000), 'x'.repeat(30_000), 'y']],
])('a page with %s is the same compressed and not', (_, texts) => {
  const render = ([one, two, three]: string[]) =>
    `<body><h1>${one}</h1><a href="tel:${two}">Call</a><h1>${three}</h1><p>${one}`
  const fill = fillByShape(render, mapTexts)
  expect(textOf(fill(texts))).toBe(render(texts))
  expect(unzip(fill(texts))).toBe(render(texts))
  // One page leaves nothing behind for the next.
  const others = texts.map((text) => text && 'z')
  expect(unzip(fill(others))).toBe(render(others))
})

test('a page with a longer head than the window of its compression is the same', () => {
  const head = Array.from({ length: 9_000 }, (_, n) => n).join()
  const fill = fillByShape(([name]: string[]) => `${head}<b>${name}</b>${head}`, mapTexts)
  expect(unzip(fill(['Asha']))).toBe(`${head}<b>Asha</b>${head}`)
})

function allOf(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, i) => String.fromCharCode(from + i)).join('')
}

test('a page that depends on the length of a text differs from its filled template', () => {
  const render = ([name = '']: string[]) => `<b>${name.length}</b>`
  const fill = fillByShape(render, mapTexts)
  fill(['Asha'])
  expect(textOf(fill(['Ramesh Kulkarni']))).not.toBe(render(['Ramesh Kulkarni']))
})

test('templates of other shapes are forgotten before they fill the memory', () => {
  let rendered = 0
  const render = ({ count }: { count: number }) => {
    rendered++
    return String(count)
  }
  const fill = fillByShape(render, ({ count }, map) => ({ count: map(count) }))
  for (let count = 0; count < 600; count++) expect(textOf(fill({ count }))).toBe(String(count))
  expect(textOf(fill({ count: 0 }))).toBe('0')
  expect(rendered).toBe(601)
})
