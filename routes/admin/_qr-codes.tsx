import { AdminPager } from '#components/admin/admin-pager.tsx'
import { ListedCodeCard, type ListedCodeView } from '#components/admin/listed-code-card.tsx'
import { NoQrCodesFound } from '#components/codes/dashboard-empty.tsx'
import { SearchForm } from '#components/forms/search-form.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { type ListedCode, listCodes } from '#db/codes/listed-codes.ts'
import type { Account } from '#db/schema.ts'
import { adminHref, adminPageHref } from '#domain/admin/admin.ts'
import { shownNumber } from '#domain/codes/phones.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { dialogHref, FIRST_PLACE, readPlace } from '#domain/dashboard.ts'
import { formatDate } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { countPages, rowsOfPage } from '#routes/_http/lists.ts'
import { renderAdmin } from '#routes/admin/_page.tsx'

const TAB = 'qr-codes'
const CODES_A_PAGE = 24

/** Renders the codes of all accounts. */
export async function renderQrCodes(c: AppContext, account: Account): Promise<Response> {
  const { q, page } = readPlace(c.req.query())
  const wanted = { search: q, ...rowsOfPage(page, CODES_A_PAGE) }
  const { qr_codes, total_count } = await listCodes(c.var.deps.db, wanted)
  const pages = countPages({ total: total_count, size: CODES_A_PAGE, page }, (last) =>
    adminPageHref(TAB, last, { q }),
  )
  return renderAdmin(
    c,
    account,
    { tab: TAB },
    <>
      <div className="toolbar">
        <SearchForm action="/admin" search={q} label="Search QR codes" fields={{ tab: TAB }} />
        <a className="btn btn-main" href={dialogHref('create', FIRST_PLACE)}>
          <Icon name="plus" />
          Create QR Code
        </a>
      </div>
      {qr_codes.length > 0 && (
        <section className="cards" aria-label="QR codes">
          {qr_codes.map((code) => (
            <ListedCodeCard key={code.id} view={toView(c, code)} />
          ))}
        </section>
      )}
      {total_count === 0 && (q ? <NoQrCodesFound search={q} href={adminHref(TAB)} /> : <NoCodes />)}
      <AdminPager tab={TAB} page={page} pages={pages} rest={{ q }} />
    </>,
  )
}

function NoCodes() {
  return (
    <Empty icon="qr" title="No QR codes found">
      <p>Nobody has made one yet.</p>
    </Empty>
  )
}

function toView(c: AppContext, code: ListedCode): ListedCodeView {
  return {
    qr_id_text: formatQrId(code.qr_id),
    name: code.owner_name ?? 'Not claimed yet',
    contact_phone: code.contact_phone && shownNumber(code.contact_phone, code.contact_number),
    vehicle_registration: code.vehicle_registration,
    is_active: code.is_active,
    created: formatDate(code.created_at, c.var.deps.config.timezone),
  }
}
