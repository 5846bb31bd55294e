import { ListPager } from '#components/ui/pager.tsx'
import { type AdminTab, adminPageHref } from '#domain/admin/admin.ts'

type AdminPagerProps = {
  tab: AdminTab
  page: number
  pages: number
  /** what else the address keeps: a search, a filter */
  rest?: Record<string, string>
}

/** The pages of a tab's list. */
export function AdminPager({ tab, page, pages, rest }: AdminPagerProps) {
  return <ListPager page={page} pages={pages} href={(to) => adminPageHref(tab, to, rest)} />
}
