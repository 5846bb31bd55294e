import type { ReactElement } from 'react'
import { Empty } from '#components/empty.tsx'
import { Icon } from '#components/icon.tsx'
import { ListPager } from '#components/pager.tsx'
import { PromoCard, type PromoCardView } from '#components/promo-card.tsx'
import { UserToolbar } from '#components/user-toolbar.tsx'
import { listPromoCodes } from '#db/promo-codes.ts'
import type { Account } from '#db/schema.ts'
import type { DomainError } from '#domain/error.ts'
import { managementAction, managementHref } from '#domain/management.ts'
import { findPromoState, PROMO_FILTERS, type PromoCode, toPromoCodeView } from '#domain/promo.ts'
import { formatDate } from '#domain/time.ts'
import { Island } from '#islands/_island.tsx'
import { Outcome, pagesOf, readListPlace } from '#routes/_admin-lists.tsx'
import type { AppContext } from '#routes/_deps.ts'
import { STATUS } from '#routes/_errors.tsx'
import type { Form } from '#routes/_forms.ts'
import { renderManagement } from '#routes/admin-dashboard/_page.tsx'

const TAB = 'promo-codes'
const CODES_A_PAGE = 24

/** A form without script that was refused, with what was typed. */
export type Refused = { refusal: DomainError; values: Form }

/** Every promo code, newest first. */
export async function renderPromoCodes(
  c: AppContext,
  account: Account,
  refused?: Refused,
): Promise<Response> {
  const dialog = refused || c.req.query('create') ? createDialog(c, refused) : undefined
  const panel = c.req.query('part') === 'dialog' ? null : await renderPanel(c)
  if (panel instanceof Response) return panel
  return renderManagement(
    c,
    account,
    {
      title: 'Promo Codes',
      tab: TAB,
      status: refused && STATUS[refused.refusal.code],
      failure: 'Failed to fetch promo codes',
      dialog,
      islands: (
        <>
          <Island name="qr-dialogs" props={{}} />
          <Island name="admin-acts" props={{}} />
        </>
      ),
    },
    panel,
  )
}

function createDialog(c: AppContext, refused?: Refused): ReactElement {
  const { timezone } = c.var.deps.config
  const { values = {}, refusal } = refused ?? {}
  const props = { action: managementAction(TAB), timezone, values, message: refusal?.message }
  return <Island name="promo-create" props={{ gives: 'child', ...props }} />
}

async function renderPanel(c: AppContext): Promise<ReactElement | Response> {
  const { db, clock } = c.var.deps
  const { q, page, wanted } = readListPlace(c, CODES_A_PAGE)
  const state = findPromoState(c.req.query('state'))
  const { promo_codes, total } = await listPromoCodes(db, clock(), { ...wanted, state })
  const pages = pagesOf(total, CODES_A_PAGE)
  const href = (to: number) =>
    managementHref(TAB, { q, state: state ?? '', page: to > 1 ? String(to) : '' })
  if (page > pages) return c.redirect(href(pages))
  return (
    <>
      <Head />
      <Outcome done={c.req.query('done')} />
      <UserToolbar
        action="/admin-dashboard"
        fields={{ tab: TAB }}
        search={q}
        label="Search promo codes"
        filter={{ name: 'state', label: 'Status', value: state ?? '', options: PROMO_FILTERS }}
      />
      {promo_codes.length > 0 && (
        <section className="cards cards-20" aria-label="Promo codes">
          {promo_codes.map((promo) => (
            <PromoCard key={promo.id} view={toCardView(c, promo)} />
          ))}
        </section>
      )}
      {total === 0 && <NoPromoCodes narrowed={q !== '' || state !== undefined} />}
      <ListPager page={page} pages={pages} href={href} />
    </>
  )
}

function Head() {
  return (
    <div className="head">
      <h2>Promo Codes</h2>
      <a className="btn btn-main" href={managementHref(TAB, { create: '1' })} data-dialog="create">
        <Icon name="plus" />
        Create
      </a>
    </div>
  )
}

export function NoPromoCodes({ narrowed, within }: { narrowed: boolean; within?: boolean }) {
  return (
    <Empty
      icon="ticket"
      title="No promo codes found"
      heading={within ? 'h2' : 'h3'}
      {...(within && { within })}
    >
      <p>
        {narrowed
          ? 'Search for a part of a code or of its description, or choose another status.'
          : 'A promo code that you create is redeemed by owners in their Upgrade dialog.'}
      </p>
    </Empty>
  )
}

function toCardView(c: AppContext, promo: PromoCode): PromoCardView {
  const { clock, config } = c.var.deps
  const view = toPromoCodeView(promo, clock())
  return {
    id: view.id,
    code: view.code,
    description: view.description,
    child_qr_quantity: view.child_qr_quantity,
    used_count: view.used_count,
    max_uses: view.max_uses,
    usage_percentage: view.usage_percentage,
    expiry: formatDate(view.expiry_date, config.timezone),
    is_active: view.is_active,
    is_expired: view.is_expired,
  }
}
