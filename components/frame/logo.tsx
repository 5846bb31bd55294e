import { usePageBrand } from '#components/brands/brand-context.tsx'
import { NameAndMark } from '#components/brands/brand-name.tsx'

/** A link to `href`, unless that is the product's home and the page does not lead there. */
export function Logo({ href }: { href: string }) {
  const { brand, hasHome } = usePageBrand()
  const name = <NameAndMark brand={brand} />
  if (href === '/' && !hasHome) return <span className="logo">{name}</span>
  return (
    <a className="logo" href={href}>
      {name}
    </a>
  )
}
