import {
  codeHref,
  FinderChoice,
  FinderError,
  FinderField,
  FinderFormPage,
} from '#components/conversations/finder-form.tsx'
import { finderWords } from '#components/conversations/finder-words.ts'
import type { IconName } from '#components/icons/icon-shapes.tsx'
import { FinderHeader } from '#components/scans/finder-document.tsx'
import { ScanIcon } from '#components/scans/scan-icon.tsx'
import { ScanNotice } from '#components/scans/scan-notice.tsx'
import { type ScanLang, scanWords } from '#components/scans/scan-words.ts'
import {
  REPORT_REASONS,
  REPORT_TEXT_LENGTH,
  type ReportReason,
} from '#domain/conversations/report.ts'

const ICONS: Record<ReportReason, IconName> = {
  threat: 'alert',
  spam: 'sms',
  offensive: 'hide',
  fraud: 'block',
  other: 'more',
}

const FORM = 'report'

export type ReportPageProps = {
  lang: ScanLang
  qrId: string
  /** where the form goes */
  action: string
  values: Partial<Record<string, string>>
  /** in the finder's language */
  refusal?: { field: 'reason' | 'text' | undefined; message: string } | undefined
}

export function ReportPage({ lang, qrId, action, values, refusal }: ReportPageProps) {
  const words = finderWords[lang]
  const errorOf = (field: 'reason' | 'text' | undefined) =>
    refusal && refusal.field === field ? refusal.message : undefined
  const above = errorOf(undefined)
  const choices = REPORT_REASONS.map((value) => ({
    value,
    icon: ICONS[value],
    label: words.wrongs[value],
  }))
  return (
    <FinderFormPage
      {...{ lang, qrId, form: FORM }}
      icon="flag"
      title={scanWords[lang].report}
      about={<p>{words.reportHint}</p>}
    >
      <form className="form" id={FORM} method="post" action={action}>
        {above && (
          <div className="sheet" role="alert">
            <FinderError id="e" text={above} />
          </div>
        )}
        <FinderChoice
          question={words.wrong}
          choices={choices}
          chosen={values.reason}
          error={errorOf('reason')}
        />
        <section className="sheet">
          <FinderField
            name="text"
            label={words.happened}
            optional={words.optional}
            value={values.text}
            maxLength={REPORT_TEXT_LENGTH}
            error={errorOf('text')}
            rows={3}
          />
        </section>
        <div className="last">
          <button className="b call" type="submit">
            <ScanIcon name="flag" />
            {words.sendReport}
          </button>
        </div>
      </form>
    </FinderFormPage>
  )
}

export function ReportThanks({ lang, qrId }: { lang: ScanLang; qrId: string }) {
  const words = finderWords[lang]
  return (
    <>
      <FinderHeader lang={lang} query="sent=1&" />
      <ScanNotice
        icon="check"
        title={words.reported}
        text={words.reportedText}
        action={{ href: codeHref(qrId), label: words.toCode, main: true }}
      />
    </>
  )
}
