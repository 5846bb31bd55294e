import { createContext, useContext } from 'react'
import type { Brand } from '#domain/brands/brand.ts'

/** The brand of a page, in place of the product's name and mark. */
export type PageBrand = {
  brand: Brand | undefined
  /** whether the product's own pages are linked */
  hasHome: boolean
}

export const PRODUCT_BRAND: PageBrand = { brand: undefined, hasHome: true }

/** Every page has a name at its top, so it is a context. Islands are outside of it. */
export const PageBrandContext = createContext<PageBrand>(PRODUCT_BRAND)

export function usePageBrand(): PageBrand {
  return useContext(PageBrandContext)
}

/** The brand's text at the end of each page. */
export function BrandFooter() {
  const { brand } = usePageBrand()
  return (
    brand?.footer && (
      <footer className="from" lang="" dir="auto">
        {brand.footer}
      </footer>
    )
  )
}

/** Returns the rules for the two colours of a branded page. */
export function brandCss({ ground, text }: Pick<Brand, 'ground' | 'text'>): string {
  return `.branded{--g:${ground};--t:${text}}`
}
