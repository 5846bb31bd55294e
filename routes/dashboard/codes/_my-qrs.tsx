import type { ReactElement } from 'react'
import { AdminLine } from '#components/dashboard/admin-line.tsx'
import { FirstRun } from '#components/dashboard/first-run.tsx'
import { PromoNotices } from '#components/plans/promo-notice.tsx'
import { countQrCodes } from '#db/accounts/accounts.ts'
import { secondsAfter } from '#db/cast.ts'
import { listOwnRedemptions } from '#db/plans/promo-redemptions.ts'
import type { Account } from '#db/schema.ts'
import { isAdmin } from '#domain/accounts/roles.ts'
import { isNarrowed } from '#domain/dashboard.ts'
import type { DomainError } from '#domain/error.ts'
import type { PagePart } from '#domain/page-sheets.ts'
import { hasPlans } from '#domain/plans/offer.ts'
import { creationWays } from '#domain/plans/plan.ts'
import { benefitText } from '#domain/plans/promo.ts'
import { SHOWN_HOURS } from '#domain/plans/promo-notice.ts'
import { qrPng } from '#formats/qr-image.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { renderDashboard } from '#routes/dashboard/_page.tsx'
import { readCodeList } from '#routes/dashboard/codes/_code-list.ts'
import { makesChildCodes, makesForOthers } from '#routes/dashboard/codes/_form-dialogs.tsx'
import { renderList } from '#routes/dashboard/codes/_list.tsx'
import { requestedDialog } from '#routes/dashboard/codes/_qr-dialogs.tsx'
import { isSelecting, renderSelection } from '#routes/dashboard/codes/_selection.tsx'
import { toPlanView } from '#routes/dashboard/plans/_plan-words.ts'
import { upgradeDialog } from '#routes/dashboard/plans/_upgrade-dialog.tsx'

const TITLE = 'My QR Codes'
/** Pixels per module of the code on the drawn tag. */
const TAG_IMAGE_SIZE = 6

/** Dialogs that answer a form, over the list. */
type Dialogs = { dialog?: ReactElement; upgrade?: ReactElement }

/** Renders My QR Codes, or only its dialog where a script asks for that part. */
export async function renderMyQrs(c: AppContext, account: Account, answer: Dialogs = {}) {
  const dialog = answer.dialog ?? (await requestedDialog(c, account))
  const panel = c.req.query('part') === 'dialog' ? null : await renderPanel(c, account)
  const part: PagePart[] | undefined = isSelecting(c) ? ['codes', 'selection'] : undefined
  const page = { title: TITLE, tab: 'my-qrs', part, ...answer, dialog } as const
  return renderDashboard(c, account, page, panel)
}

/** Shows a dialog with the refusal of its form; over it the Upgrade dialog, when the plan allows no more. */
export async function renderRefused(
  c: AppContext,
  account: Account,
  { kind }: DomainError,
  dialog: ReactElement,
) {
  if (kind !== 'plan_limit') return renderMyQrs(c, account, { dialog })
  const upgrade = await upgradeDialog(c, account, { why: 'limit' })
  return renderMyQrs(c, account, { dialog, upgrade })
}

async function renderNotices(c: AppContext, { id }: Account): Promise<ReactElement | null> {
  if (!hasPlans()) return null
  const { db, clock } = c.var.deps
  const rows = await listOwnRedemptions(db, id, secondsAfter(clock(), -SHOWN_HOURS * 3600))
  const redemptions = rows.map(({ code, status, ...benefit }) => ({
    code,
    status,
    benefit: benefitText(benefit),
  }))
  const [last] = redemptions
  const made = last && c.req.query('done') === `promo-${last.status}` ? last : undefined
  return <PromoNotices account_id={id} redemptions={redemptions} made={made} />
}

async function renderPanel(c: AppContext, account: Account): Promise<ReactElement> {
  const list = await readCodeList(c, account)
  if (isSelecting(c)) return renderSelection(c, list)
  const qr_count = await countQrCodes(c.var.deps.db, account.id)
  const making = {
    place: list.place,
    // A child user who makes codes for owners is offered all ways.
    ways: creationWays(
      makesForOthers(account) ? { ...account, parent_id: null } : account,
      qr_count,
    ),
    makesChildCodes: makesChildCodes(account),
  }
  const plan = await toPlanView(c, account, qr_count)
  const news = await renderNotices(c, account)
  if (list.total > 0 || isNarrowed(list.place)) {
    return renderList(c, account, list, { title: TITLE, ...making, plan, news })
  }
  return (
    <>
      <h1 className="vh" tabIndex={-1}>
        {TITLE}
      </h1>
      {news}
      {isAdmin(account.role) && <AdminLine />}
      <FirstRun {...making} plan={plan} image={tagImage(c)} />
    </>
  )
}

/** The code on the drawn tag leads to this site. */
function tagImage(c: AppContext): string {
  const image = qrPng(c.var.deps.config.publicUrl, TAG_IMAGE_SIZE)
  return `data:image/png;base64,${image.toString('base64')}`
}
