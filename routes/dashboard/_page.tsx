import type { StatusCode } from 'hono/utils/http-status'
import type { ReactNode } from 'react'
import { EndedAccess } from '#components/accounts/ended-access.tsx'
import { ResetQuestion } from '#components/families/reset-question.tsx'
import { type DashboardFrame, DashboardShell } from '#components/frame/dashboard-shell.tsx'
import { countWaiting } from '#db/accounts/waiting.ts'
import { countOpenReports } from '#db/conversations/moderated-reports.ts'
import type { Account } from '#db/schema.ts'
import type { DashboardTab } from '#domain/dashboard.ts'
import type { PagePart } from '#domain/page-sheets.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { renderPage } from '#routes/_http/render.tsx'
import { readEndedAccess } from '#routes/dashboard/accounts/_ended-access.ts'
import { readResetQuestion } from '#routes/dashboard/families/_reset-question.ts'
import { askedUpgrade } from '#routes/dashboard/plans/_upgrade-dialog.tsx'

type DashboardPage = Omit<DashboardFrame, 'account' | 'pending' | 'notice'> & {
  title: string
  status?: StatusCode | undefined
  /** the styles that it has besides those of its tab */
  part?: PagePart | undefined
}

/** A tab of the dashboard, under a bar that says on every tab what waits for the owner. */
export async function renderDashboard(
  c: AppContext,
  account: Account,
  { title, status, part, ...frame }: DashboardPage,
  panel: ReactNode,
): Promise<Response> {
  const { db } = c.var.deps
  const { resets, conversations, ended } = await countWaiting(db, account.id)
  const reports = account.role === 'moderator' ? await countOpenReports(db) : 0
  const pending = { 'password-requests': resets, messages: conversations, reports }
  const upgrade = await askedUpgrade(c, account)
  const question = await readResetQuestion(c, account)
  const end = ended > 0 ? await readEndedAccess(c, account) : undefined
  const notice = (
    <>
      {question && <ResetQuestion view={question} />}
      {end && <EndedAccess view={end} />}
    </>
  )
  return renderPage(
    c,
    { title, sheet: 'app', part: part ?? partOf(frame.tab), status },
    <DashboardShell {...{ account, pending, upgrade, notice }} {...frame}>
      {panel}
    </DashboardShell>,
  )
}

/** The styles of a tab besides those of all. */
function partOf(tab: DashboardTab): PagePart | undefined {
  if (tab === 'my-qrs') return undefined
  return tab === 'messages' ? 'messages' : 'tabs'
}
