import { BRAND_LENGTHS } from '#domain/brands/brand.ts'
import { cleanLine } from '#domain/text.ts'
import { anyText, flag, payload } from '#routes/_http/schema.ts'

/** The types and their cleaning; the rules and their words are those of `readBrandFields`. */
const line = (name: string, maxLength: number) =>
  anyText(name).nullish().transform(cleanLine).openapi({ maxLength })

/** A brand as the form and the call send it. A missing switch stays unchanged. */
export const brandForm = payload({
  brand_name: line('Name', BRAND_LENGTHS.brand_name),
  colour: line('Colour', '#rrggbb'.length).openapi({ description: '#rrggbb' }),
  footer: line('Footer', BRAND_LENGTHS.footer),
  hide_product_name: flag('hide_product_name').optional(),
})
