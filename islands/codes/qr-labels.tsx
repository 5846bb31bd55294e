import { type ChangeEvent, useEffect, useState } from 'react'
import { LabelFields } from '#components/codes/label-fields.tsx'
import { LabelPreview } from '#components/codes/label-preview.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'
import { Note } from '#components/ui/note.tsx'
import { type LabelForm, labelSummary, readLabelForm, sizeFor } from '#domain/codes/label-form.ts'
import type { ModuleCounts } from '#domain/codes/label-look.ts'
import type { SheetId } from '#domain/codes/label-sheets.ts'
import { countLabels, moduleWarning } from '#domain/codes/labels.ts'
import { formatCount } from '#domain/number.ts'
import { useModal } from '#islands/ui/_modal.ts'
import { type RefusalTexts, refusalText } from '#locales/refusal.ts'

type QrLabelsProps = {
  count: number
  modules: ModuleCounts
  chosen: LabelForm
  /** which codes to print, and the dialog's address, where the preview is drawn without script */
  hidden: Record<string, string>
  /** too many codes for an address */
  isLong: boolean
  /** which letters of the brand's name are left out */
  printWarning?: string | undefined
  /** those of `LABEL_REFUSALS` */
  texts: RefusalTexts
}

/** Chooses paper and size of labels, and previews their first page. */
export function QrLabels(props: QrLabelsProps) {
  const { count, modules, chosen, hidden, isLong, printWarning, texts } = props
  const [form, setForm] = useState(chosen)
  const [scripted, setScripted] = useState(false)
  const modal = useModal()
  useEffect(() => setScripted(true), [])
  const { plan, start, problem } = readLabelForm(form, modules)
  const warning = plan && moduleWarning(plan)
  const labels = plan ? countLabels(plan, { start, count, isFilled: form.fill === '1' }) : count

  function onChange({ target }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) {
    const { name, value } = target
    const isOff =
      target instanceof HTMLInputElement && target.type === 'checkbox' && !target.checked
    const afresh = name === 'sheet' ? { size: sizeFor(value as SheetId), start: '1' } : {}
    setForm({ ...form, ...afresh, [name]: isOff ? '' : value })
  }

  return (
    <Dialog title={count === 1 ? 'Print label' : `Print ${formatCount(count)} labels`} {...modal}>
      <form
        method={isLong ? 'post' : 'get'}
        action="/dashboard/qr/labels.pdf"
        noValidate
        data-action="file"
      >
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <DialogBody>
          <div className="labels">
            <LabelFields
              count={count}
              scripted={scripted}
              form={form}
              plan={plan}
              problems={problem ? { [problem.field]: refusalText(texts, problem.refusal) } : {}}
              onChange={onChange}
            />
            <div className="label-preview">
              {plan && (
                <LabelPreview
                  plan={plan}
                  start={start}
                  count={labels}
                  onStart={scripted ? (from) => setForm({ ...form, start: `${from}` }) : undefined}
                />
              )}
              <p className="small soft" role="status">
                {plan && labelSummary(plan, { start, count: labels })}
              </p>
            </div>
          </div>
          {warning && <Note tone="warn">{warning}</Note>}
          {printWarning && <Note tone="warn">{printWarning}</Note>}
          <p className="hint">Print at 100 %, not fitted to the page.</p>
        </DialogBody>
        <DialogFoot>
          <DialogCancel>Cancel</DialogCancel>
          {!scripted && (
            <button className="btn" type="submit" formAction="/dashboard">
              Show preview
            </button>
          )}
          <button className="btn btn-main" type="submit" disabled={Boolean(problem)}>
            <Icon name="print" />
            Download PDF
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
