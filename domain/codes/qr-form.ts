import {
  changedFields,
  cleanQrFields,
  DEFAULT_PUBLIC_MESSAGE,
  QR_FIELDS,
  type QrField,
  type QrFields,
  qrFieldProblem,
} from '#domain/codes/qr.ts'

/** What a form sends, by the names of its controls. */
export type QrForm = Record<string, unknown>
export type QrProblems = Partial<Record<QrField, string>>

/** Stands for the PIN that a code has: the PIN itself leaves the server for nobody. */
export const KEPT_PIN = '••••'

/**
 * The fields as filled in. An empty PIN field says nothing, because a form never shows the PIN
 * that is there; taking it away is a box of its own.
 */
export function readQrForm({ remove_pin, optional_pin, ...fields }: QrForm): QrForm {
  if (remove_pin) return { ...fields, optional_pin: null }
  return optional_pin ? { ...fields, optional_pin } : fields
}

/** What the create form begins with. */
const NEW_CODE = { public_message: DEFAULT_PUBLIC_MESSAGE }

/** The code that an edit form is about; the API's own view of a code is one of these. */
export type EditedCode = Omit<QrFields, 'optional_pin'> & {
  qr_id: string
  has_pin: boolean
  updated_at: string
}

/** What to fill a form with, and to compare it with later. */
export function formOf(code: EditedCode | undefined): Partial<QrFields> {
  if (!code) return NEW_CODE
  return { ...cleanQrFields(code), optional_pin: code.has_pin ? KEPT_PIN : null }
}

/** What is wrong, field by field, in the order of the form. */
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

/** The fields that somebody really changed; none means that nothing is lost by leaving. */
export function typedFields(before: Partial<QrFields>, form: QrForm): Partial<QrFields> {
  const stored = cleanQrFields(before)
  const sent = Object.entries(qrFormChanges(before, form)) as [QrField, string | null][]
  return Object.fromEntries(sent.filter(([name, value]) => value !== (stored[name] ?? null)))
}
