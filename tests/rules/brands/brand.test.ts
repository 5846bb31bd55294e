import { expect, test } from 'vitest'
import { type BrandRow, brandOf, readBrandFields } from '#domain/brands/brand.ts'
import { inBrand } from '#domain/brands/in-brand.ts'
import { loadCatalogue } from '#domain/languages/catalogues.ts'
import { LANGS } from '#domain/languages/languages.ts'

const ROW: BrandRow = {
  brand_version: 'v',
  brand_name: 'NeelRath Cabs',
  brand_colour: '#0f4c96',
  brand_footer: null,
  brand_logo: 'AAAA',
  brand_logo_file: 'logo.png',
  brand_is_alone: 1,
  brand_plan: 'enterprise',
  brand_is_active: 1,
}

test('a brand has the text that can be read on its ground', () => {
  expect(brandOf(ROW)).toMatchObject({ ground: '#0f4c96', text: '#ffffff', isAlone: true })
  expect(brandOf({ ...ROW, brand_colour: null })).toMatchObject({
    ground: '#ffc61a',
    text: '#000000',
  })
})

test('a brand sleeps without its plan, with a blocked account, and where there is none', () => {
  expect(brandOf({ ...ROW, brand_plan: 'free' })).toBeUndefined()
  expect(brandOf({ ...ROW, brand_is_active: 0 })).toBeUndefined()
  expect(brandOf({ ...ROW, brand_version: null })).toBeUndefined()
  expect(brandOf({ ...ROW, brand_plan: 'premium' })).toMatchObject({ isAlone: false })
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
