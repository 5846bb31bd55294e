import type { ReactElement } from 'react'
import { UserToolbar } from '#components/admin/user-toolbar.tsx'
import { Outcome } from '#components/ui/outcome.tsx'
import { ListPager } from '#components/ui/pager.tsx'
import { INVITATION_WITHDRAWN } from '#domain/accounts/invitation.ts'
import { PERMITTED } from '#domain/accounts/permission.ts'
import { readPlace } from '#domain/dashboard.ts'
import type { DomainError } from '#domain/error.ts'
import { PROMO_DONE, REDEMPTION_DECIDED } from '#domain/plans/promo.ts'
import { UPGRADE_DECIDED } from '#domain/plans/upgrade.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { countPages, rowsOfPage } from '#routes/_http/lists.ts'

const DONE: Record<string, string> = {
  permitted: PERMITTED,
  invited: 'Invitation sent',
  'invitation-withdrawn': INVITATION_WITHDRAWN,
  created: PROMO_DONE.created,
  toggled: PROMO_DONE.toggled,
  deleted: PROMO_DONE.deleted,
  'redemption-approve': REDEMPTION_DECIDED.approve,
  'redemption-reject': REDEMPTION_DECIDED.reject,
  'upgrade-approve': UPGRADE_DECIDED.approve,
  'upgrade-reject': UPGRADE_DECIDED.reject,
}

/** Renders the outcome of a form of an admin page. */
export function ListOutcome({ c, refusal, failed }: ListOutcomeProps) {
  if (refusal) {
    const reason = failed && refusal.message
    return <Outcome text={failed ?? refusal.message} reason={reason} isRefused />
  }
  const { done = '', at } = c.req.query()
  return <Outcome text={Object.hasOwn(DONE, done) ? DONE[done] : undefined} at={at} />
}

type ListOutcomeProps = {
  c: AppContext
  refusal?: DomainError | undefined
  /** the title of a refusal, whose message is then the reason */
  failed?: string | undefined
}

/** The address of a list: its page and its query fields. */
export type ListScreen = { action: '/admin' | '/admin-dashboard'; fields: Record<string, string> }

type Wanted = { search: string | null; limit: number; offset: number }

type List<Row> = ListScreen & {
  /** the label of the search */
  label: string
  filter: {
    name: string
    label: string
    value: string | undefined
    options: readonly { id: string; label: string }[]
  }
  read(wanted: Wanted): Promise<{ rows: Row[]; total: number }>
  show(rows: Row[]): ReactElement
  none(narrowed: boolean): ReactElement
}

const ROWS_A_PAGE = 24

/** Renders a list with its search, filter and pages. */
export async function renderList<Row>(
  c: AppContext,
  { action, fields, label, filter, read, show, none }: List<Row>,
): Promise<ReactElement> {
  const { q, page } = readPlace(c.req.query())
  const wanted = { search: q || null, ...rowsOfPage(page, ROWS_A_PAGE) }
  const { rows, total } = await read(wanted)
  const value = filter.value ?? ''
  const href = (to: number) =>
    hrefOf(action, { ...fields, q, [filter.name]: value, page: to > 1 ? String(to) : '' })
  const pages = countPages({ total, size: ROWS_A_PAGE, page }, href)
  return (
    <>
      <UserToolbar
        action={action}
        fields={fields}
        search={q}
        label={label}
        filter={{ ...filter, value }}
      />
      {total > 0 ? show(rows) : none(q !== '' || value !== '')}
      <ListPager page={page} pages={pages} href={href} />
    </>
  )
}

function hrefOf(action: string, said: Record<string, string>): string {
  return `${action}?${new URLSearchParams(Object.entries(said).filter(([, value]) => value !== ''))}`
}
