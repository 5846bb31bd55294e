import type { ChangeEvent } from 'react'
import { SelectField, TextField } from '#components/forms/field.tsx'
import type { LabelForm } from '#domain/codes/label-form.ts'
import type { LabelPlan } from '#domain/codes/label-look.ts'
import {
  isPlain,
  isRoll,
  labelsPerPage,
  PLAIN_IDS,
  ROLL_IDS,
  type SheetId,
  STOCK_IDS,
  sheetName,
} from '#domain/codes/label-sheets.ts'

const SIZES = [
  ['25', 'Key ring, 25 mm'],
  ['50', 'Windscreen, 50 mm'],
  ['70', 'Windscreen, 70 mm'],
  ['', 'As large as the label allows'],
] as const

type LabelFieldsProps = {
  /** how many codes are printed */
  count: number
  /** whether the preview can be pressed */
  scripted: boolean
  form: LabelForm
  plan: LabelPlan | undefined
  problems: { size?: string; start?: string }
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => void
}

/** Paper, size and the place to begin. */
export function LabelFields(props: LabelFieldsProps) {
  const { count, scripted, form, plan, problems, onChange } = props
  const last = plan && labelsPerPage(plan.grid)
  return (
    <div className="stack">
      <SelectField label="Sheet" name="sheet" value={form.sheet} onChange={onChange}>
        <SheetOptions ids={PLAIN_IDS} />
        <optgroup label="Avery labels">
          <SheetOptions ids={STOCK_IDS} />
        </optgroup>
        <optgroup label="Label printers">
          <SheetOptions ids={ROLL_IDS} />
        </optgroup>
      </SelectField>
      <SelectField
        label="Size of the code"
        error={problems.size}
        name="size"
        value={form.size}
        onChange={onChange}
      >
        {SIZES.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </SelectField>
      {!isRoll(form.sheet) && (
        <TextField
          label="Start at label"
          hint={last && startHint(last, scripted)}
          error={problems.start}
          name="start"
          type="number"
          inputMode="numeric"
          min={1}
          max={last}
          value={form.start}
          onChange={onChange}
        />
      )}
      {last && count < last && (
        <label className="toggle">
          <input
            type="checkbox"
            name="fill"
            value="1"
            checked={form.fill === '1'}
            onChange={onChange}
          />
          Fill the page
        </label>
      )}
      {!isPlain(form.sheet) && !isRoll(form.sheet) && (
        <label className="toggle">
          <input type="checkbox" name="outline" value="1" />
          Draw the labels’ edges, for a test on plain paper
        </label>
      )}
    </div>
  )
}

function startHint(last: number, canPress: boolean): string {
  const where = canPress ? ', or press it in the preview' : ''
  return `From 1 to ${last}, along the rows${where}; skip those that are used up`
}

function SheetOptions({ ids }: { ids: SheetId[] }) {
  return ids.map((id) => (
    <option key={id} value={id}>
      {sheetName(id)}
    </option>
  ))
}
