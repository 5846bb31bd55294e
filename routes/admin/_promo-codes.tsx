import type { ReactElement, ReactNode } from 'react'
import { AdminPager } from '#components/admin-pager.tsx'
import { Icon } from '#components/icon.tsx'
import { ListTable } from '#components/list-table.tsx'
import { PromoBadges, usesText } from '#components/promo-card.tsx'
import { SubTabs } from '#components/sub-tabs.tsx'
import { UserToolbar } from '#components/user-toolbar.tsx'
import { getPromoCodeById, listPromoCodes } from '#db/promo-codes.ts'
import { countPendingRedemptions } from '#db/redemption-decisions.ts'
import type { Account } from '#db/schema.ts'
import { adminHref, adminPageHref, promoAction } from '#domain/admin.ts'
import type { DomainError } from '#domain/error.ts'
import {
  benefitText,
  findPromoState,
  PROMO_FILTERS,
  type PromoCode,
  toPromoCodeView,
} from '#domain/promo.ts'
import { formatDateTime } from '#domain/time.ts'
import { Island } from '#islands/_island.tsx'
import { Outcome, pagesOf, readListPlace } from '#routes/_admin-lists.tsx'
import type { AppContext } from '#routes/_deps.ts'
import { STATUS } from '#routes/_errors.tsx'
import type { Form } from '#routes/_forms.ts'
import { renderAdmin } from '#routes/admin/_page.tsx'
import { renderRedemptions } from '#routes/admin/_redemptions.tsx'
import { NoPromoCodes } from '#routes/admin-dashboard/_promo-codes.tsx'

const TAB = 'promo-codes'
const CODES_A_PAGE = 24

/** What a form without script was refused for; the values are those of a creation. */
export type Refused = { refusal: DomainError; values?: Form }

/** The promo-code management screen: the codes, and what was redeemed of them. */
export async function renderPromoScreen(
  c: AppContext,
  account: Account,
  refused?: Refused,
): Promise<Response> {
  const isOfRedemptions = c.req.query('show') === 'redemptions' || (refused && !refused.values)
  const dialog = await askedDialog(c, refused)
  const list = isOfRedemptions ? renderRedemptions : renderCodes
  const panel = c.req.query('part') === 'dialog' ? null : await list(c)
  if (panel instanceof Response) return panel
  return renderAdmin(
    c,
    account,
    {
      tab: TAB,
      action: <CreateLink />,
      failure: 'Failed to load promo code data',
      dialog,
      islands: (
        <>
          <Island name="qr-dialogs" props={{}} />
          <Island name="admin-acts" props={{}} />
        </>
      ),
      ...(refused && { status: STATUS[refused.refusal.code] }),
    },
    <Screen
      current={isOfRedemptions ? 'redemptions' : 'codes'}
      pending={await countPendingRedemptions(c.var.deps.db)}
      outcome={
        <Outcome
          done={c.req.query('done')}
          refusal={refused?.values ? undefined : refused?.refusal}
        />
      }
    >
      {panel}
    </Screen>,
  )
}

function CreateLink() {
  return (
    <a className="btn btn-main" href={adminHref(TAB, { create: '1' })} data-dialog="create">
      <Icon name="plus" />
      Create
    </a>
  )
}

async function askedDialog(c: AppContext, refused?: Refused): Promise<ReactElement | undefined> {
  const { create, delete: id } = c.req.query()
  if (create || refused?.values) {
    const { timezone } = c.var.deps.config
    const { values = {}, refusal } = refused ?? {}
    const props = { action: promoAction(), timezone, values, message: refusal?.message }
    return <Island name="promo-create" props={{ gives: 'plan', ...props }} />
  }
  if (!id) return undefined
  const { code } = await getPromoCodeById(c.var.deps.db, id)
  return <Island name="promo-delete" props={{ id, code, action: promoAction(`/${id}/delete`) }} />
}

function Screen(props: {
  current: string
  pending: number
  outcome: ReactNode
  children: ReactNode
}) {
  const { current, pending, outcome, children } = props
  const tabs = [
    { id: 'codes', label: 'Promo Codes', href: adminHref(TAB) },
    {
      id: 'redemptions',
      label: 'Redemptions',
      href: adminHref(TAB, { show: 'redemptions' }),
      pending,
    },
  ]
  return (
    <>
      {outcome}
      <SubTabs label="Promo codes and redemptions" tabs={tabs} current={current}>
        {children}
      </SubTabs>
    </>
  )
}

async function renderCodes(c: AppContext): Promise<ReactElement | Response> {
  const { db, clock } = c.var.deps
  const { q, page, wanted } = readListPlace(c, CODES_A_PAGE)
  const state = findPromoState(c.req.query('state'))
  const { promo_codes, total } = await listPromoCodes(db, clock(), { ...wanted, state })
  const pages = pagesOf(total, CODES_A_PAGE)
  const rest = { q, state: state ?? '' }
  if (page > pages) return c.redirect(adminPageHref(TAB, pages, rest))
  return (
    <>
      <UserToolbar
        action="/admin"
        fields={{ tab: TAB }}
        search={q}
        label="Search promo codes"
        filter={{ name: 'state', label: 'Status', value: rest.state, options: PROMO_FILTERS }}
      />
      {total > 0 ? (
        <Codes codes={promo_codes.map((promo) => toView(c, promo))} />
      ) : (
        <NoPromoCodes narrowed={q !== '' || state !== undefined} within />
      )}
      <AdminPager tab={TAB} page={page} pages={pages} rest={rest} />
    </>
  )
}

type PromoView = ReturnType<typeof toView>

function toView(c: AppContext, promo: PromoCode) {
  const { clock, config } = c.var.deps
  const view = toPromoCodeView(promo, clock())
  const expires = formatDateTime(view.expires_at, config.timezone)
  return { ...view, gives: benefitText(promo), expires }
}

function Codes({ codes }: { codes: PromoView[] }) {
  return (
    <ListTable
      label="Promo codes"
      rows={codes}
      head={{ label: 'Code', cell: ({ code }) => <b className="any-break">{code}</b> }}
      columns={[
        { label: 'Gives', cell: ({ gives }) => gives },
        { label: 'Used', cell: usesText },
        { label: 'Expires', cell: ({ expires }) => expires },
        { label: 'Approval', cell: ({ requires_approval }) => (requires_approval ? 'Yes' : 'No') },
        {
          label: 'Status',
          cell: (promo) => (
            <span className="row gap-1">
              <PromoBadges {...promo} />
            </span>
          ),
        },
      ]}
      idOf={({ id }) => `promo-${id}`}
      actions={(promo) => <DeleteLink promo={promo} />}
    />
  )
}

function DeleteLink({ promo: { id, code } }: { promo: PromoView }) {
  return (
    <a
      className="btn btn-sm btn-quiet tool-stop"
      href={adminHref(TAB, { delete: id })}
      data-dialog="delete"
      data-gone="Promo code not found"
    >
      <Icon name="trash" />
      Delete
      <span className="vh">{` ${code}`}</span>
    </a>
  )
}
