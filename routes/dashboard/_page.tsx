import type { ReactNode } from 'react'
import { ChangedNotice } from '#components/accounts/changed-notice.tsx'
import { EndedAccess } from '#components/accounts/ended-access.tsx'
import { LostAddress, type LostAddressView } from '#components/accounts/lost-address.tsx'
import { FirstAdmin } from '#components/dashboard/first-admin.tsx'
import { GuardianQuestion, type WardView } from '#components/families/guardian-question.tsx'
import { ResetQuestion } from '#components/families/reset-question.tsx'
import { type DashboardFrame, DashboardShell } from '#components/frame/dashboard-shell.tsx'
import { ClaimOffers } from '#components/transfers/claim-offers.tsx'
import { Outcome } from '#components/ui/outcome.tsx'
import { hasConsent } from '#db/accounts/consents.ts'
import { countWaiting } from '#db/accounts/waiting.ts'
import { countOpenReports } from '#db/conversations/moderated-reports.ts'
import { listWards } from '#db/families/guardians.ts'
import type { Account } from '#db/schema.ts'
import { contactOf } from '#domain/accounts/contact.ts'
import { FIRST_NOTICE } from '#domain/accounts/notice.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import type { DashboardTab } from '#domain/dashboard.ts'
import type { PagePart } from '#domain/page-sheets.ts'
import { formatDateTime } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { renderPage } from '#routes/_http/render.tsx'
import { doneText } from '#routes/dashboard/_done.ts'
import { readEndedAccess } from '#routes/dashboard/accounts/_ended-access.ts'
import { mayBeFirstAdmin } from '#routes/dashboard/accounts/_first-admin.ts'
import { readClaimOffers } from '#routes/dashboard/codes/claim-offers.ts'
import { readResetQuestion } from '#routes/dashboard/families/_reset-question.ts'
import { requestedUpgrade } from '#routes/dashboard/plans/_upgrade-dialog.tsx'

type DashboardPage = Omit<DashboardFrame, 'account' | 'pending' | 'notice'> & {
  title: string
  /** the style sheets of the page, unless they are those of its tab */
  part?: PagePart | PagePart[] | undefined
}

/** Renders a tab of the dashboard, with the notices and counts that every tab shows. */
export async function renderDashboard(
  c: AppContext,
  account: Account,
  { title, part, ...frame }: DashboardPage,
  panel: ReactNode,
): Promise<Response> {
  const { db, config } = c.var.deps
  const { resets, conversations, ended, wards, offers } = await countWaiting(db, account)
  const reports = account.role === 'moderator' ? await countOpenReports(db) : 0
  const pending = { 'password-requests': resets, messages: conversations, reports }
  const upgrade = await requestedUpgrade(c, account)
  const question = await readResetQuestion(c, account)
  const end = ended > 0 ? await readEndedAccess(c, account) : undefined
  const isFirst = frame.tab === 'my-qrs' && (await mayBeFirstAdmin(c, account))
  const outcome = <Outcome text={doneText(c.req.query())} at={c.req.query('at')} />
  const notice = (
    <>
      {isFirst && <FirstAdmin />}
      {question && <ResetQuestion view={question} />}
      {end && <EndedAccess view={end} />}
      {account.email_lost_at && <LostAddress view={toLostAddress(c, account)} />}
      {offers > 0 && <ClaimOffers count={offers} offers={await readClaimOffers(c, account)} />}
      {wards > 0 && <GuardianQuestion wards={await readWards(c, account)} />}
      {(await isNoticeNew(c, account)) && <ChangedNotice version={config.noticeVersion} />}
    </>
  )
  return renderPage(
    c,
    { title, sheet: 'app', part: part ?? partOf(frame.tab) },
    <DashboardShell {...{ account, pending, upgrade, notice, outcome }} {...frame}>
      {panel}
    </DashboardShell>,
  )
}

function toLostAddress(c: AppContext, account: Account): LostAddressView {
  const { email_lost_at, login_id, password_hash } = account
  const at = email_lost_at ?? ''
  const date = formatDateTime(at, c.var.deps.config.timezone)
  return { at, date, login_id, hasPassword: password_hash !== null }
}

async function readWards(c: AppContext, account: Account): Promise<WardView[]> {
  const wards = await listWards(c.var.deps.db, account.id)
  return wards.map((ward) => ({
    id: ward.id,
    name: ward.name,
    contact: contactOf(ward),
    qr_id_text: formatQrId(ward.qr_id),
  }))
}

/** Checks whether the account has not read the present version of the privacy notice. */
async function isNoticeNew({ var: { deps } }: AppContext, { id }: Account): Promise<boolean> {
  const { noticeVersion } = deps.config
  if (noticeVersion === FIRST_NOTICE) return false
  return !(await hasConsent(deps.db, id, noticeVersion))
}

/** The styles of a tab besides those of all. */
function partOf(tab: DashboardTab): PagePart {
  if (tab === 'my-qrs') return 'codes'
  if (tab === 'reports') return 'admin'
  return tab === 'messages' ? 'messages' : 'tabs'
}
