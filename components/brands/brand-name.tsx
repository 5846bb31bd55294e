import { Mark } from '#components/frame/mark.tsx'
import { type Brand, PRODUCT } from '#domain/brands/brand.ts'

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
