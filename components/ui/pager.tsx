import { formatCount } from '#domain/number.ts'

/** Previous and Next; the side that leads nowhere stays visible and cannot be followed. */
export function Pager({
  page,
  pages,
  previous,
  next,
}: {
  page: number
  pages?: number
  previous?: string | undefined
  next?: string | undefined
}) {
  return (
    <nav className="pager" aria-label="Pages">
      <PagerLink href={previous} rel="prev" label="Previous" />
      <span className="small soft">
        {pages ? `Page ${formatCount(page)} of ${formatCount(pages)}` : `Page ${formatCount(page)}`}
      </span>
      <PagerLink href={next} rel="next" label="Next" />
    </nav>
  )
}

/** The pages of a list whose length is known; nothing where one page holds it. */
export function ListPager({
  page,
  pages,
  href,
}: {
  page: number
  pages: number
  href: (page: number) => string
}) {
  if (pages === 1) return null
  const previous = page > 1 ? href(page - 1) : undefined
  const next = page < pages ? href(page + 1) : undefined
  return <Pager page={page} pages={pages} previous={previous} next={next} />
}

function PagerLink(link: { href: string | undefined; rel: string; label: string }) {
  if (!link.href) {
    return (
      <button className="btn btn-sm" type="button" disabled>
        {link.label}
      </button>
    )
  }
  return (
    <a className="btn btn-sm" href={link.href} rel={link.rel}>
      {link.label}
    </a>
  )
}
