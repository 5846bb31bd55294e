import { Hono } from 'hono'
import {
  ReportPage,
  type ReportPageProps,
  ReportThanks,
} from '#components/conversations/report-page.tsx'
import type { ScannedCode } from '#db/scans/scan-path.ts'
import { randomToken } from '#db/secrets.ts'
import { formatRefusal } from '#locales/refusal.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { reportFields, reportPage } from '#routes/_http/conversations/reports.ts'
import { perform, readForm } from '#routes/_http/forms.ts'
import { setLocale, wordsOf } from '#routes/_http/language.ts'
import { refusalIn } from '#routes/_http/schema-refusals.ts'
import { answerContact, renderFinder } from '#routes/scan/_finder-page.tsx'

/** Report this page, complete without script. */
export const report = new Hono<AppEnv>()

report.get('/:qr_id/report', (c) =>
  answerContact(c, (code) => {
    if (!c.req.query('sent')) return renderForm(c, { qrId: code.qr_id, values: {} })
    const words = wordsOf(c)
    const page = <ReportThanks words={words} qrId={code.qr_id} />
    return renderFinder(c, { page: 'report', title: words.report.done }, page)
  }),
)

report.post('/:qr_id/report', (c) => answerContact(c, (code) => answerReport(c, code)))

async function answerReport(c: AppContext, code: ScannedCode): Promise<Response> {
  const qrId = code.qr_id
  const { values } = await readForm(c)
  const words = await setLocale(c, values.lang)
  if (values.lang) return renderForm(c, { qrId, values })
  const read = reportFields.safeParse(values)
  if (!read.success) {
    const field = read.error.issues[0]?.path[0] === 'text' ? 'text' : 'reason'
    const refusal = { field, message: formatRefusal(words, refusalIn(read.error)) } as const
    c.status(400)
    return renderForm(c, { qrId, values, refusal })
  }
  return perform(c, {
    act: () => reportPage(c, code, read.data, values.form_key),
    done: () => `/scan/${qrId}/report?sent=1`,
    refused: ({ refusal }) => {
      const message = formatRefusal(words, refusal)
      return renderForm(c, { qrId, values, refusal: { field: undefined, message } })
    },
  })
}

function renderForm(
  c: AppContext,
  { values, ...form }: Pick<ReportPageProps, 'qrId' | 'values' | 'refusal'>,
): Response {
  const { form_key = randomToken() } = values
  const words = wordsOf(c)
  const action = `/scan/${form.qrId}/report`
  const options = { page: 'report', title: words.scan.report } as const
  return renderFinder(c, options, <ReportPage {...form} {...{ words, action, values, form_key }} />)
}
