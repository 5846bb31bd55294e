import { expect, test } from 'vitest'
import { type BrandRow, brandOf, inName, readBrandFields } from '#domain/brands/brand.ts'
import { inBrand } from '#domain/brands/in-brand.ts'
import { en, loadCatalogue } from '#locales/catalogue.ts'
import { LANGS } from '#locales/languages.ts'
import { format } from '#locales/message.ts'

const ROW: BrandRow = {
  brand_version: 'v',
  brand_name: 'NeelRath Cabs',
  brand_colour: '#0f4c96',
  brand_footer: null,
  brand_logo: 'AAAA',
  brand_logo_file: 'logo.png',
  brand_is_alone: 1,
  brand_plan: 'enterprise',
  brand_term_plan: null,
  brand_term_ends_at: null,
  brand_is_active: 1,
  brand_temporary_until: null,
  brand_plan_after: null,
  brand_is_active_after: null,
}

const NOW = new Date('2026-11-20T10:00:00Z')
const ENDS = { brand_plan: 'free', brand_term_plan: 'enterprise' } as const

test('a brand has the text that can be read on its ground', () => {
  expect(brandOf(ROW, NOW)).toMatchObject({ ground: '#0f4c96', text: '#ffffff', isAlone: true })
  expect(brandOf({ ...ROW, brand_colour: null }, NOW)).toMatchObject({
    ground: '#ffc61a',
    text: '#000000',
  })
})

test('a brand sleeps without its plan, with a blocked account, and where there is none', () => {
  expect(brandOf({ ...ROW, brand_plan: 'free' }, NOW)).toBeUndefined()
  expect(brandOf({ ...ROW, brand_is_active: 0 }, NOW)).toBeUndefined()
  expect(brandOf({ ...ROW, brand_version: null }, NOW)).toBeUndefined()
  expect(brandOf({ ...ROW, brand_plan: 'premium' }, NOW)).toMatchObject({ isAlone: false })
  const endsAt = (end: string) => ({ ...ROW, ...ENDS, brand_term_ends_at: end })
  expect(brandOf(endsAt('2026-11-20T10:00:00.001Z'), NOW)).toMatchObject({ isAlone: true })
  expect(brandOf(endsAt('2026-11-20T10:00:00.000Z'), NOW)).toBeUndefined()
})

test('a temporary permission ends at its time, whenever that is noticed', () => {
  const until = (brand_temporary_until: string, after: Partial<BrandRow>) =>
    brandOf({ ...ROW, brand_temporary_until, brand_is_active_after: 1, ...after }, NOW)
  const [over, running] = ['2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00.001Z']
  expect(until(running, { brand_plan_after: 'free' })).toMatchObject({ isAlone: true })
  expect(until(over, { brand_plan_after: 'free' })).toBeUndefined()
  expect(until(over, { brand_plan_after: 'premium' })).toMatchObject({ isAlone: false })
  const term = {
    brand_term_plan: 'premium',
    brand_term_ends_at: '2026-12-20T10:00:00.000Z',
  } as const
  expect(until(over, { brand_plan_after: 'free', ...term })).toMatchObject({ isAlone: false })
  const blocked = { brand_is_active: 0, brand_plan_after: 'premium' } as const
  expect(until(running, blocked)).toBeUndefined()
  expect(until(over, blocked)).toBeDefined()
  expect(until(over, { brand_plan_after: 'premium', brand_is_active_after: 0 })).toBeUndefined()
})

test('a name has the signs that it was typed with, in every text', () => {
  for (const name of ['Cash $$ & $& Carry', "$' $` Keys", '$1 $<name> Cabs']) {
    expect(inName('Your DriveQR login OTP, from DriveQR', name)).toBe(
      `Your ${name} login OTP, from ${name}`,
    )
    expect(format(inBrand(en, name).scan.things.bag.greeting, { code: '7K3M' })).toContain(name)
  }
})

const FIELDS = { brand_name: 'Neel', colour: null, footer: null, hide_product_name: false }

test('each field has its limit and its words', () => {
  const save = (fields: Partial<typeof FIELDS> | object, plan: 'premium' | 'enterprise') => () =>
    readBrandFields({ ...FIELDS, ...fields }, plan)
  expect(save({ brand_name: 'n'.repeat(41) }, 'premium')).toThrow(
    'Name must be at most 40 characters',
  )
  expect(save({ footer: 'n'.repeat(121) }, 'premium')).toThrow(
    'Footer must be at most 120 characters',
  )
  expect(save({ hide_product_name: true }, 'premium')).toThrow(
    'White-label is available on the Enterprise plan',
  )
  expect(save({ hide_product_name: true, brand_name: null }, 'enterprise')).toThrow(
    'Please enter a name',
  )
  expect(save({ brand_name: 'n'.repeat(40), footer: 'n'.repeat(120) }, 'premium')()).toBeTruthy()
})

test.each(LANGS)('no text in %s keeps the name of the product', async (lang) => {
  const words = await loadCatalogue(lang)
  const withName = JSON.stringify(words, (_, value) => (typeof value === 'function' ? '' : value))
  expect(withName).toContain('DriveQR')
  expect(JSON.stringify(inBrand(words, 'NeelRath'))).not.toContain('DriveQR')
})
