import { QR_FIELDS, type QrField } from '#domain/codes/qr.ts'

type State = {
  values: Partial<Record<QrField, string | null>>
  problems: Partial<Record<QrField, string>>
  /** what the fields are called on a page in another language */
  labels?: Partial<Record<QrField, string>>
}

/** Makes the control of a date, which has no length. */
export function qrDateControl(name: QrField, state: State) {
  const { maxLength: _, ...control } = qrControl(name, state)
  return { ...control, type: 'date' }
}

/** Makes the control of a code's field, for every form. */
export function qrControl(name: QrField, { values, problems, labels }: State) {
  const { label, max } = QR_FIELDS[name]
  return {
    name,
    label: labels?.[name] ?? label,
    maxLength: max,
    defaultValue: values[name] ?? '',
    error: problems[name],
  }
}
