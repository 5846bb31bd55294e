import { createContext, useContext } from 'react'
import type { Brand } from '#domain/brands/brand.ts'

/** What a page wears instead of the product's name and mark. */
export type Dress = {
  brand: Brand | undefined
  /** whether the product's own pages are linked */
  hasHome: boolean
}

export const PLAIN: Dress = { brand: undefined, hasHome: true }

/** Every page has a name at its top, so it is a context. Islands are outside of it. */
export const DressContext = createContext<Dress>(PLAIN)

export function useDress(): Dress {
  return useContext(DressContext)
}

/** What the brand says at the end of each page. */
export function BrandFooter() {
  const { brand } = useDress()
  return (
    brand?.footer && (
      <footer className="from" lang="" dir="auto">
        {brand.footer}
      </footer>
    )
  )
}

/** The two colours that everything on a page of a brand is made of. */
export function brandCss({ ground, text }: Pick<Brand, 'ground' | 'text'>): string {
  return `.branded{--g:${ground};--t:${text}}`
}
