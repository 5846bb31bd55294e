import { QR_FIELDS, type QrField } from '#domain/codes/qr.ts'

type State = {
  values: Partial<Record<QrField, string | null>>
  problems: Partial<Record<QrField, string>>
}

/** As `qrControl`, for a date, which has no length. */
export function qrDateControl(name: QrField, state: State) {
  const { maxLength: _, ...control } = qrControl(name, state)
  return { ...control, type: 'date' }
}

/** What every form makes the control of a code's field from. */
export function qrControl(name: QrField, { values, problems }: State) {
  const { label, max } = QR_FIELDS[name]
  return { name, label, maxLength: max, defaultValue: values[name] ?? '', error: problems[name] }
}
