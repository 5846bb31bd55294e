import { createContext, useContext } from 'react'
import { Mark } from '#components/frame/mark.tsx'
import { type Brand, PRODUCT } from '#domain/brands/brand.ts'

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

export function productName(brand: Pick<Brand, 'name'> | undefined): string {
  return brand?.name ?? PRODUCT
}

type NameProps = { brand: Pick<Brand, 'name' | 'logo'> | undefined }

/** Logo and name of the brand, or mark and name of the product. */
export function NameAndMark({ brand }: NameProps) {
  return (
    <>
      {brand?.logo && <img className="brand" src={brand.logo} alt="" />}
      {!brand?.logo && !brand?.name && <Mark />}
      <span>{productName(brand)}</span>
    </>
  )
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
