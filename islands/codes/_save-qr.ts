import { cleanQrFields } from '#domain/codes/qr.ts'
import { type EditedCode, formOf, qrFormChanges, readQrForm } from '#domain/codes/qr-form.ts'
import { limitReached as limitReachedText } from '#domain/plans/plan.ts'
import { ApiProblem, callApi } from '#islands/_api.ts'
import { showToast } from '#islands/_toast.ts'

/**
 * What the form says above its fields; `newer` offers what somebody else has saved meanwhile,
 * `limit` is a plan that was used up, perhaps in another window.
 */
export type FormNotice = { text: string; newer?: boolean; limit?: boolean }

export function formFields(form: HTMLFormElement): Record<string, unknown> {
  return Object.fromEntries(new FormData(form))
}

/** Creates a code, or changes one if nobody has since it was read. Throws ApiProblem. */
export function saveQr(code: EditedCode | undefined, form: HTMLFormElement): Promise<EditedCode> {
  if (!code) return callApi('POST', '/qr/create', cleanQrFields(readQrForm(formFields(form))))
  const { qr_id, updated_at } = code
  const fields = qrFormChanges(formOf(code), formFields(form))
  return callApi('PUT', `/qr/${qr_id}`, { ...fields, updated_at })
}

/** The code as it is now. Throws when it is gone or nobody answers. */
export async function fetchQr(qrId: string): Promise<EditedCode> {
  const query = new URLSearchParams({ search: qrId, page: '1', limit: '1' })
  const [code] = await callApi<EditedCode[]>('GET', `/qr/my-qrs?${query}`)
  if (code?.qr_id !== qrId) throw new ApiProblem(404, 'QR code not found')
  return code
}

/** Says that nothing was saved, and what there is to know about it. */
export function noticeOf(error: unknown, failed: string): FormNotice {
  const { status, message, body } = error as ApiProblem
  showToast(status === 402 ? limitReached(body) : failed, 'error')
  if (status === 0) {
    return { text: 'The server cannot be reached. What you typed is still here: try again.' }
  }
  const newer = message === 'This QR code was changed meanwhile'
  return { text: message || failed, newer, limit: status === 402 }
}

function limitReached(body: unknown): string {
  const { detail } = body as { detail: { current_count: number; limit: number } }
  return limitReachedText(detail.current_count, detail.limit)
}
