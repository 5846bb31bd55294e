import {
  changedFields,
  cleanQrFields,
  DEFAULT_PUBLIC_MESSAGE,
  QR_FIELDS,
  type QrField,
  type QrFields,
  qrFieldProblem,
} from '#domain/codes/qr.ts'

/** The values that a form sends, by the names of its controls. */
export type QrForm = Record<string, unknown>
export type QrProblems = Partial<Record<QrField, string>>

/** Shown in place of an existing PIN, which never leaves the server. */
export const KEPT_PIN = '••••'

/**
 * The fields as filled in. An empty PIN field means no change, because a form never shows the
 * existing PIN; a checkbox of its own removes it.
 */
export function readQrForm({ remove_pin, optional_pin, ...fields }: QrForm): QrForm {
  if (remove_pin) return { ...fields, optional_pin: null }
  return optional_pin ? { ...fields, optional_pin } : fields
}

/** The initial values of the create form. */
const NEW_CODE = { public_message: DEFAULT_PUBLIC_MESSAGE }

/** The code in an edit form. The API's view of a code fits this type. */
export type EditedCode = Omit<QrFields, 'optional_pin'> & {
  qr_id: string
  has_pin: boolean
  updated_at: string
}

/** The initial values of a form, with which it is compared later. */
export function formOf(code: EditedCode | undefined): Partial<QrFields> {
  if (!code) return NEW_CODE
  return { ...cleanQrFields(code), optional_pin: code.has_pin ? KEPT_PIN : null }
}

/** The problem of each field, in the order of the form. */
export function qrFormProblems(form: QrForm): QrProblems {
  const fields = cleanQrFields(readQrForm(form))
  const names = Object.keys(QR_FIELDS) as QrField[]
  const problems = names.map((name) => [name, qrFieldProblem(name, fields[name])] as const)
  return Object.fromEntries(problems.filter(([, problem]) => problem))
}

/** What the edit form sends: see `changedFields`. */
export function qrFormChanges(before: Partial<QrFields>, form: QrForm): Partial<QrFields> {
  return changedFields(before, readQrForm(form))
}

/** The fields that really changed. When there are none, the form can be left without a warning. */
export function typedFields(before: Partial<QrFields>, form: QrForm): Partial<QrFields> {
  const stored = cleanQrFields(before)
  const sent = Object.entries(qrFormChanges(before, form)) as [QrField, string | null][]
  return Object.fromEntries(sent.filter(([name, value]) => value !== (stored[name] ?? null)))
}
