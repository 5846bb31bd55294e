import {
  changedFields,
  cleanQrFields,
  DEFAULT_PUBLIC_MESSAGE,
  QR_FIELDS,
  type QrField,
  type QrInput,
  qrFieldProblem,
} from '#domain/codes/qr.ts'
import { type RefusalTexts, refusalText } from '#locales/refusal.ts'

/** The values that a form sends, by the names of its controls. */
export type QrForm = Record<string, unknown>
export type QrProblems = Partial<Record<QrField, string>>

/** Shown in place of an existing PIN, which never leaves the server. */
export const KEPT_PIN = '••••'

/**
 * Returns the fields of a sent form. An empty PIN field means no change, because a form never shows the existing
 * PIN. The checkbox `remove_pin` removes it.
 */
export function readQrForm({ remove_pin, optional_pin, ...fields }: QrForm): QrForm {
  if (remove_pin) return { ...fields, optional_pin: null }
  return optional_pin ? { ...fields, optional_pin } : fields
}

/** The code in an edit form. The API's view of a code fits this type. */
export type EditedCode = Omit<QrInput, 'optional_pin'> & {
  qr_id: string
  has_pin: boolean
  updated_at: string
}

/** The first values of a new code, from its account and the settings. */
export type KnownFields = Pick<QrInput, 'owner_name' | 'contact_phone' | 'email' | 'contact_mode'>

/** Returns the initial values of the create form. The sent values are compared with them. */
export function newForm(known: Partial<KnownFields> = {}): Partial<QrInput> {
  const visible = { thing: 'keys' as const, show_vehicle: true, show_city: true }
  return { public_message: DEFAULT_PUBLIC_MESSAGE, ...visible, ...known }
}

/** Returns the initial values of the form that edits a code. */
export function formOf(code: EditedCode): Partial<QrInput> {
  return { ...cleanQrFields(code), optional_pin: code.has_pin ? KEPT_PIN : null }
}

/** Returns the problem of each field, in the order of the form and in the language of the texts. */
export function qrFormProblems(form: QrForm, texts: RefusalTexts): QrProblems {
  const fields = cleanQrFields(readQrForm(form))
  const names = Object.keys(QR_FIELDS) as QrField[]
  return Object.fromEntries(
    names.flatMap((name) => {
      const refusal = qrFieldProblem(name, fields[name])
      return refusal ? [[name, refusalText(texts, refusal)]] : []
    }),
  )
}

/** Returns the fields that the edit form sends: see `changedFields`. */
export function qrFormChanges(before: Partial<QrInput>, form: QrForm): Partial<QrInput> {
  return changedFields(before, readQrForm(form))
}

/** Returns the fields with other values than at first. Without one, the form can be left without a warning. */
export function typedFields(before: Partial<QrInput>, form: QrForm): Partial<QrInput> {
  const stored = cleanQrFields(before)
  const sent = Object.entries(qrFormChanges(before, form)) as [keyof QrInput, unknown][]
  return Object.fromEntries(sent.filter(([name, value]) => value !== (stored[name] ?? null)))
}
