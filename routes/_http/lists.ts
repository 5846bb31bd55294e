/** Thrown while a part of a page is rendered, to redirect to another page. */
export class Redirect extends Error {
  readonly href: string

  constructor(href: string) {
    super('redirect')
    this.href = href
  }
}

/** Returns the limit and offset of a numbered page. */
export function rowsOfPage(page: number, size: number): { limit: number; offset: number } {
  return { limit: size, offset: (page - 1) * size }
}

/** Returns the number of pages of a list. Redirects to the last page when `page` is beyond it. */
export function countPages(
  { total, size, page }: { total: number; size: number; page: number },
  hrefOf: (page: number) => string,
): number {
  const pages = Math.max(1, Math.ceil(total / size))
  if (page > pages) throw new Redirect(hrefOf(pages))
  return pages
}
