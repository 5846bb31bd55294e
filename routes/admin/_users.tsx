import { AdminPager } from '#components/admin/admin-pager.tsx'
import { UserTable } from '#components/admin/user-table.tsx'
import { UserToolbar } from '#components/admin/user-toolbar.tsx'
import { ActiveBadge, PlanBadge } from '#components/ui/badge.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { searchAccounts } from '#db/accounts/account-search.ts'
import type { ListedAccount } from '#db/accounts/accounts.ts'
import type { Account } from '#db/schema.ts'
import { adminHref, adminPageHref, PLAN_FILTERS, readPlan } from '#domain/admin/admin.ts'
import { readPlace } from '#domain/dashboard.ts'
import { formatCount } from '#domain/number.ts'
import { hasPlans } from '#domain/plans/offer.ts'
import { UNLIMITED } from '#domain/plans/plan.ts'
import { withPlanNow } from '#domain/plans/term.ts'
import { formatDate } from '#domain/time.ts'
import { toUserCardView } from '#routes/_admin/user-view.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { countPages, rowsOfPage } from '#routes/_http/lists.ts'
import { renderAdmin } from '#routes/admin/_page.tsx'

const TAB = 'users'
const USERS_A_PAGE = 20

/** Renders every account. */
export async function renderAdminUsers(c: AppContext, account: Account): Promise<Response> {
  const { q, page } = readPlace(c.req.query())
  const plan = hasPlans() ? readPlan(c.req.query('plan')) : undefined
  const { db, clock } = c.var.deps
  const onPlan = plan && { id: plan, now: clock() }
  const wanted = { search: q || null, plan: onPlan, ...rowsOfPage(page, USERS_A_PAGE) }
  const { users, total } = await searchAccounts(db, wanted)
  const rest = { q, plan: plan ?? '' }
  const pages = countPages({ total, size: USERS_A_PAGE, page }, (last) =>
    adminPageHref(TAB, last, rest),
  )
  return renderAdmin(
    c,
    account,
    { tab: TAB },
    <>
      <UserToolbar
        action="/admin"
        fields={{ tab: TAB }}
        search={q}
        filter={
          hasPlans()
            ? { name: 'plan', label: 'Plan', value: rest.plan, options: PLAN_FILTERS }
            : undefined
        }
      />
      <section className="sheet sheet-tight" aria-label="Users">
        {total > 0 ? <Users users={users.map((user) => toView(c, user))} /> : <NoUsers />}
        <AdminPager tab={TAB} page={page} pages={pages} rest={rest} />
      </section>
    </>,
  )
}

type UserView = ReturnType<typeof toView>

function toView(c: AppContext, user: ListedAccount) {
  const { clock, config } = c.var.deps
  const { subscription_plan, subscription_ends_at: end, qr_limit } = withPlanNow(user, clock())
  const joined = formatDate(user.created_at, config.timezone)
  const plan = { subscription_plan, plan_until: end && formatDate(end, config.timezone), qr_limit }
  return { ...toUserCardView(c, user), ...plan, joined }
}

function Users({ users }: { users: UserView[] }) {
  return (
    <UserTable
      label="Users"
      users={users}
      columns={[
        ...(hasPlans() ? [{ label: 'Plan', cell: Plan }] : []),
        { label: 'QR Codes', cell: (user) => <Used {...user} /> },
        { label: 'Joined', cell: (user) => user.joined },
        { label: 'Status', cell: (user) => <ActiveBadge active={user.is_active} /> },
      ]}
    />
  )
}

function Plan({ subscription_plan, plan_until }: UserView) {
  return (
    <span className="row gap-2">
      <PlanBadge plan={subscription_plan} />
      {plan_until && <span className="small soft">{`until ${plan_until}`}</span>}
    </span>
  )
}

function Used({ qr_count, qr_limit }: Pick<UserView, 'qr_count' | 'qr_limit'>) {
  if (qr_limit !== UNLIMITED) return `${formatCount(qr_count)}/${formatCount(qr_limit)}`
  if (!hasPlans()) return formatCount(qr_count)
  return (
    <span>
      {`${formatCount(qr_count)}/`}
      <span role="img" aria-label="unlimited">
        ∞
      </span>
    </span>
  )
}

function NoUsers() {
  return (
    <Empty
      icon="users"
      title="No users found"
      within
      action={
        <a className="btn" href={adminHref(TAB)}>
          Clear Search
        </a>
      }
    >
      <p>{`Try a part of a name or an email${hasPlans() ? ', or choose another plan' : ''}.`}</p>
    </Empty>
  )
}
