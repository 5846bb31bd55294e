import {
  codeHref,
  FinderChoice,
  FinderError,
  FinderField,
  FinderFormPage,
} from '#components/conversations/finder-form.tsx'
import { LanguageMenu } from '#components/frame/language-menu.tsx'
import type { IconName } from '#components/icons/icon-shapes.tsx'
import { FinderHeader } from '#components/scans/finder-document.tsx'
import { ScanIcon } from '#components/scans/scan-icon.tsx'
import { ScanNotice } from '#components/scans/scan-notice.tsx'
import {
  REPORT_REASONS,
  REPORT_TEXT_LENGTH,
  type ReportReason,
} from '#domain/conversations/report.ts'
import type { Catalogue } from '#locales/catalogue.ts'

const ICONS: Record<ReportReason, IconName> = {
  threat: 'alert',
  spam: 'sms',
  offensive: 'hide',
  fraud: 'block',
  other: 'more',
}

const FORM = 'report'

export type ReportPageProps = {
  words: Catalogue
  qrId: string
  /** where the form goes */
  action: string
  /** by which the same form is known when it is sent again */
  form_key: string
  values: Partial<Record<string, string>>
  /** in the finder's language */
  refusal?: { field: 'reason' | 'text' | undefined; message: string } | undefined
}

export function ReportPage(props: ReportPageProps) {
  const { words, qrId, action, form_key, values, refusal } = props
  const { report, page } = words
  const errorOf = (field: 'reason' | 'text' | undefined) =>
    refusal && refusal.field === field ? refusal.message : undefined
  const above = errorOf(undefined)
  const choices = REPORT_REASONS.map((value) => ({
    value,
    icon: ICONS[value],
    label: report.reasons[value],
  }))
  return (
    <FinderFormPage
      {...{ words, qrId, form: FORM }}
      icon="flag"
      title={words.scan.report}
      about={<p>{report.hint}</p>}
    >
      <form className="form" id={FORM} method="post" action={action}>
        <input type="hidden" name="form_key" value={form_key} />
        {above && (
          <div className="sheet" role="alert">
            <FinderError id="e" text={above} />
          </div>
        )}
        <FinderChoice
          question={report.about}
          choices={choices}
          chosen={values.reason}
          error={errorOf('reason')}
        />
        <section className="sheet">
          <FinderField
            name="text"
            label={report.text}
            optional={page.optional}
            value={values.text}
            maxLength={REPORT_TEXT_LENGTH}
            error={errorOf('text')}
            rows={3}
          />
        </section>
        <div className="last">
          <button className="b call" type="submit">
            <ScanIcon name="flag" />
            {report.send}
          </button>
        </div>
      </form>
    </FinderFormPage>
  )
}

export function ReportThanks({ words, qrId }: { words: Catalogue; qrId: string }) {
  const { report, page } = words
  return (
    <>
      <FinderHeader>
        <LanguageMenu words={words} query="sent=1&" />
      </FinderHeader>
      <ScanNotice
        icon="check"
        title={report.done}
        text={report.doneText}
        action={{ href: codeHref(qrId), label: page.toCode, main: true }}
      />
    </>
  )
}
