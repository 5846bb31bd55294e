import { Pager } from '#components/pager.tsx'
import { type AdminTab, adminPageHref } from '#domain/admin.ts'

type AdminPagerProps = {
  tab: AdminTab
  page: number
  pages: number
  /** what else the address keeps: a search, a filter */
  rest?: Record<string, string>
}

/** The pages of a tab's list; nothing where one page holds it. */
export function AdminPager({ tab, page, pages, rest }: AdminPagerProps) {
  if (pages === 1) return null
  const href = (to: number) => (to >= 1 && to <= pages ? adminPageHref(tab, to, rest) : undefined)
  return <Pager page={page} pages={pages} previous={href(page - 1)} next={href(page + 1)} />
}
