import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ScanDocument } from '#components/scans/scan-document.tsx'
import { DEFAULT_PUBLIC_MESSAGE } from '#domain/codes/qr.ts'
import { toScanView } from '#domain/scans/public-scan.ts'
import { SCAN_SHEETS, type ScanSheet } from '#domain/scans/scan-sheets.ts'
import type { ScanPopup, ScanView } from '#domain/scans/scan-view.ts'
import type { Catalogue } from '#locales/catalogue.ts'
import { loadCatalogue } from '#locales/catalogue.ts'
import { LANGS } from '#locales/languages.ts'
import {
  FEW_PAGES,
  type FilledPage,
  gzipPage,
  makeTemplate,
  plainPage,
} from '#routes/_http/gzip.ts'
import { documentHtml } from '#routes/_http/render.tsx'
import { renderByShape } from '#routes/_http/template.ts'

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

/** What a finder sees: the code, and often what is shown before it. */
type Seen = { view: ScanView; popup?: ScanPopup }

function randomPage(seed: number, words: Catalogue): Seen {
  const { maybe } = chances(seed)
  const view = randomView(maybe, words)
  const upTo = (most: number) => Array.from({ length: maybe([...Array(most + 1).keys()]) ?? 0 })
  const images = upTo(3).map((_, n) => ({ id: `image${n}`, url: `/api/files/${n}.webp` }))
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
  return toScanView(qr as never, { words, timezone: 'Asia/Kolkata' })
}

/** For a page that depends on nothing but its value. */
function fillByShape<T>(render: (value: T) => string): (value: T) => FilledPage {
  const fill = renderByShape(render, () => '')
  return (value) => fill(value, undefined)
}

const textOf = (page: FilledPage) => new TextDecoder().decode(plainPage(page))

test.each(LANGS)('a filled template is what React renders, in %s', async (lang) => {
  const words = await loadCatalogue(lang)
  const render = (seen: Seen) =>
    documentHtml(<ScanDocument words={words} css={CSS} scan={{ state: 'contact', ...seen }} />)
  const fill = fillByShape(render)
  // The shapes are the same in each language.
  const views = lang === 'en' ? 400 : 60
  for (let seed = 1; seed <= views; seed++) {
    const page = randomPage(seed * 7919, words)
    const rendered = render(page)
    expect(textOf(fill(page))).toBe(rendered)
    const again = fill(page)
    expect(textOf(again)).toBe(rendered)
    expect(gunzipSync(gzipPage(again)).toString()).toBe(rendered)
    expect(unzip(again)).toBe(rendered)
  }
})

const unzip = (page: FilledPage) => {
  page.template.packed = FEW_PAGES
  return gunzipSync(gzipPage(page)).toString()
}

test.each([
  ['no texts', ['', '', '']],
  ['texts that are alike', ['98450 12345', '98450 12345', '+919845012345']],
  ['a text that repeats itself', ['ab'.repeat(900), 'ab', 'abab']],
  [
    'every character that has a code of its own',
    [allOf(1, 127), allOf(128, 2_000), allOf(2_000, 9_000)],
  ],
  ['more than can be repeated from the end', ['कख'.repeat(6_000), 'x'.repeat(30_000), 'y']],
])('a page with %s is the same compressed and not', (_, texts) => {
  const rest = ['</h1><a href="tel:', '">Call</a><h1>', '</h1><a href="tel:">Call</a><h1>x', '']
  const template = makeTemplate('<body><h1>', rest, [0, 1, 2, 0])
  const page = { template, texts }
  const [one, two, three] = texts
  const whole = `<body><h1>${one}${rest[0]}${two}${rest[1]}${three}${rest[2]}${one}`
  expect(textOf(page)).toBe(whole)
  expect(unzip(page)).toBe(whole)
  // What one page leaves behind must not change the next.
  expect(unzip({ template, texts: ['a', 'b', 'c'] })).toBe(
    `<body><h1>a${rest[0]}b${rest[1]}c${rest[2]}a`,
  )
})

function allOf(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, i) => String.fromCharCode(from + i)).join('')
}

test('a page that depends on the length of a text differs from its filled template', () => {
  const render = ({ name }: { name: string }) => `<b>${name.length}</b>`
  const fill = fillByShape(render)
  fill({ name: 'Asha' })
  expect(textOf(fill({ name: 'Ramesh Kulkarni' }))).not.toBe(render({ name: 'Ramesh Kulkarni' }))
})

test('templates of other shapes are forgotten before they fill the memory', () => {
  let rendered = 0
  const fill = fillByShape((value: Record<string, string>) => {
    rendered++
    return Object.values(value).join()
  })
  for (let i = 0; i < 600; i++) expect(textOf(fill({ [`field${i}`]: 'x' }))).toBe('x')
  expect(textOf(fill({ field0: 'y' }))).toBe('y')
  expect(rendered).toBe(601)
})
