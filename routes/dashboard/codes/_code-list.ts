import { getCookie } from 'hono/cookie'
import { resolveAddresses } from '#actions/codes/view.ts'
import { dueUntil } from '#actions/papers/due.ts'
import type { ShownCounts } from '#components/dashboard/qr-finds.tsx'
import { getAccount } from '#db/accounts/accounts.ts'
import { listCardCodes } from '#db/codes/card-codes.ts'
import { countSeenCodes, listCompanies, type OwnQrCode } from '#db/codes/qr-codes.ts'
import { type DueItem, listDue } from '#db/papers/due.ts'
import type { Account } from '#db/schema.ts'
import { listTransfers } from '#db/transfers/transfers.ts'
import { pageSize, placeHref, type QrLayout, readLayout, readPlace } from '#domain/dashboard.ts'
import { formatCount } from '#domain/number.ts'
import { type Access, has, rightsOf } from '#domain/people/roles.ts'
import { type Holder, hasShares, type Scope, shareBehind } from '#domain/people/share.ts'
import { planNow } from '#domain/plans/term.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { keepPreference } from '#routes/_http/cookies.ts'
import { countPages, rowsOfPage } from '#routes/_http/lists.ts'
import type { CardViewer } from '#routes/dashboard/codes/_qr-card.ts'
import { type CodeList, isSelecting } from '#routes/dashboard/codes/_selection.tsx'

/** Reads the page of the list that the address names. */
export async function readCodeList(c: AppContext, account: Account): Promise<CodeList> {
  const { db } = c.var.deps
  const requested = readPlace(c.req.query())
  // A selection is narrowed by search and company alone.
  const place = isSelecting(c) ? { ...requested, filter: undefined, sort: undefined } : requested
  const layout = chooseLayout(c)
  const size = pageSize(layout)
  const { q: search, page, company_fleet_name, filter, sort, shared } = place
  const wanted = {
    ...{ search, company_fleet_name, sort, shared },
    ...(filter === 'due' && { dueUntil: dueUntil(c.var.deps) }),
    ...(filter === 'lost' && { isLost: true }),
    ...rowsOfPage(page, size),
  }
  const { qr_codes, total } = await listCardCodes(db, account, wanted)
  const pages = countPages({ total, size, page }, (to) => placeHref({ ...place, page: to }))
  return {
    ...{ place, layout, total, qr_codes, pages },
    hasShared: hasShares(account),
    ...rightsOn(account, { place, pages, qr_codes }),
    companies: await listCompanies(db, shared === 'mine' ? { ...account, shares: [] } : account),
    viewer: await toCardViewer(c, account),
    dueOf: await nearestOf(c, account, qr_codes),
    transfers: await transfersOf(c, account, qr_codes),
  }
}

type Listed = Pick<CodeList, 'place' | 'pages' | 'qr_codes'>

/**
 * Returns the rights on any of the listed codes; where not all are here, on those that may be elsewhere. Those of a
 * company stay in it.
 */
function rightsOn(holder: Holder, { place, pages, qr_codes }: Listed) {
  const { q, company_fleet_name, shared } = place
  const own = shared === 'shared' ? [] : [{ access: 'owner' as const, share: undefined }]
  const shares = shared === 'mine' ? [] : (holder.shares ?? [])
  const isAllHere = pages <= 1 && !q && !company_fleet_name
  const held: { access: Access; share: Scope | undefined }[] = isAllHere
    ? qr_codes.map((code) => ({ access: code.access, share: shareBehind(holder, code) }))
    : [...own, ...shares.map((share) => ({ access: share.role, share }))]
  return {
    rights: rightsOf(held.map(({ access }) => access)),
    setsFleet: held.some(({ access, share }) => has(access, 'edit') && !share?.company_fleet_name),
  }
}

/** Returns the nearest end of each of these codes that is due. */
async function nearestOf(c: AppContext, account: Account, codes: OwnQrCode[]) {
  const qrIds = codes.map(({ qr_id }) => qr_id)
  const items = await listDue(c.var.deps.db, account, { qrIds, until: dueUntil(c.var.deps) })
  return new Map(items.toReversed().map((item) => [item.qr_id, item]))
}

async function transfersOf(c: AppContext, account: Account, codes: OwnQrCode[]) {
  const ids = codes.map(({ id }) => id)
  return listTransfers(c.var.deps.db, account.id, ids, c.var.deps.clock())
}

async function toCardViewer(c: AppContext, account: Account): Promise<CardViewer> {
  const { db, clock } = c.var.deps
  const parent = account.parent_id ? await getAccount(db, account.parent_id) : undefined
  const addressOf = await resolveAddresses(c.var.deps, account)
  return { ...account, addressOf, parent_plan: parent && planNow(parent, clock()) }
}

/** To read all ends of a large account would take longer than the rest of the page. */
export const MOST_ENDS = 100

/** Counts the codes of each choice of the filter. `due` are the nearest ends. */
export async function countShown(
  c: AppContext,
  account: Account,
  { place: { q, company_fleet_name, filter, shared }, total }: CodeList,
  due: DueItem[],
): Promise<ShownCounts> {
  if (q || company_fleet_name || shared) return {}
  const { db } = c.var.deps
  const all = filter ? await countSeenCodes(db, account) : total
  const lost = filter === 'lost' ? total : await countSeenCodes(db, account, { isLost: true })
  const counts = { '': formatCount(all), lost: formatCount(lost) }
  if (filter === 'due') return { ...counts, due: formatCount(total) }
  const codesDue = new Set(due.map(({ qr_id }) => qr_id)).size
  return { ...counts, due: `${formatCount(codesDue)}${due.length < MOST_ENDS ? '' : '+'}` }
}

const LAYOUT_COOKIE = 'driveqr_layout'

/** Returns the layout that the address asks for, and remembers it on this device. */
function chooseLayout(c: AppContext): QrLayout {
  const requested = readLayout(c.req.query('layout'))
  if (requested) keepPreference(c, LAYOUT_COOKIE, requested, '/dashboard')
  return requested ?? readLayout(getCookie(c, LAYOUT_COOKIE)) ?? 'grid-medium'
}
