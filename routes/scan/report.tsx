import { Hono } from 'hono'
import { finderWords, refusalIn } from '#components/conversations/finder-words.ts'
import {
  ReportPage,
  type ReportPageProps,
  ReportThanks,
} from '#components/conversations/report-page.tsx'
import { scanWords } from '#components/scans/scan-words.ts'
import { reportFields, reportPage } from '#routes/_http/conversations/page-reports.ts'
import type { AppContext, AppEnv } from '#routes/_http/deps.ts'
import { STATUS } from '#routes/_http/errors.tsx'
import { readForm } from '#routes/_http/forms.ts'
import { refusalOf, sayWhenAgain } from '#routes/_http/refusal.ts'
import { findContact, renderFinder, type Spoken, spokenIn } from '#routes/scan/_finder-page.tsx'

/** Report this page, complete without script. */
export const report = new Hono<AppEnv>()

report.get('/:qr_id/report', async (c) => {
  const code = await findContact(c)
  if (code instanceof Response) return code
  const spoken = spokenIn(c)
  if (c.req.query('sent')) {
    const { lang } = spoken
    const title = finderWords[lang].reported
    const page = <ReportThanks lang={lang} qrId={code.qr_id} />
    return renderFinder(c, { page: 'report', lang, title }, page)
  }
  return renderForm(c, spoken, { qrId: code.qr_id, values: {} })
})

report.post('/:qr_id/report', async (c) => {
  const code = await findContact(c)
  if (code instanceof Response) return code
  const qrId = code.qr_id
  const { values } = await readForm(c)
  const spoken = spokenIn(c, values.lang)
  if (values.lang) return renderForm(c, spoken, { qrId, values })
  const words = finderWords[spoken.lang]
  const read = reportFields.safeParse(values)
  if (!read.success) {
    const field = read.error.issues[0]?.path[0] === 'text' ? 'text' : 'reason'
    const refusal = { field, message: words.reportProblems[field] } as const
    return renderForm(c, spoken, { qrId, values, refusal }, 400)
  }
  const refused = await refusalOf(reportPage(c, qrId, read.data))
  if (refused) {
    sayWhenAgain(c, refused)
    const message = refusalIn(spoken.lang, refused)
    const refusal = { field: undefined, message }
    return renderForm(c, spoken, { qrId, values, refusal }, STATUS[refused.code])
  }
  const query = spoken.query ? `${spoken.query}&sent=1` : '?sent=1'
  return c.redirect(`/scan/${qrId}/report${query}`, 303)
})

function renderForm(
  c: AppContext,
  { lang, query }: Spoken,
  form: Pick<ReportPageProps, 'qrId' | 'values' | 'refusal'>,
  status = 200,
): Response {
  const action = `/scan/${form.qrId}/report${query}`
  const options = { page: 'report', lang, title: scanWords[lang].report, status } as const
  return renderFinder(c, options, <ReportPage {...form} lang={lang} action={action} />)
}
