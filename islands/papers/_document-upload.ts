import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { DocumentForm } from '#components/papers/document-fields.tsx'
import type { DomainError } from '#domain/error.ts'
import { type PdfProblem, readDocumentFields, uploadText } from '#domain/papers/document.ts'
import { DOCUMENT_FILES } from '#domain/papers/file-kind.ts'
import type { ApiProblem } from '#islands/_api-problem.ts'
import { settle } from '#islands/_forms.ts'
import { finishDialog, reloadList } from '#islands/ui/_dialog.ts'
import { focusInvalid } from '#islands/ui/_focus-invalid.ts'
import { showResult } from '#islands/ui/_result.ts'
import { useUpload } from '#islands/ui/_upload.ts'
import { type Refusal, type RefusalTexts, refusalText } from '#locales/refusal.ts'

type Problem = { side?: string; end?: string; form?: string | undefined }
type Uploaded = {
  start: DocumentForm
  /** the id of the document that gets another file */
  replaces: string | undefined
  message: string | undefined
  /** those of `DOCUMENT_REFUSALS` */
  texts: RefusalTexts
}

/** Drives the upload form: the chosen files go one after another, each with its own type. */
export function useDocumentUpload({ start, replaces, message, texts }: Uploaded) {
  const element = useRef<HTMLFormElement>(null)
  const [form, setForm] = useState(start)
  const [problem, setProblem] = useState<Problem>({ form: message })
  const upload = useUpload(DOCUMENT_FILES, texts, 'Failed to upload document')
  const { file, rest, send } = upload
  // A choice may have been made before the script was loaded.
  useEffect(() => {
    const chosen = Object.fromEntries(new FormData(element.current ?? undefined))
    const { qr_id, document_type, document_side, expires_on, ...ticked } = chosen as Record<
      string,
      string
    >
    setForm((form) => ({
      ...form,
      qr_id: qr_id || form.qr_id,
      document_type: document_type || form.document_type,
      document_side: document_side || form.document_side,
      expires_on: expires_on || form.expires_on,
      is_public: ticked.is_public !== undefined,
      no_end: ticked.no_end !== undefined,
    }))
  }, [])

  useEffect(() => {
    if (problem.side || problem.end) focusInvalid(element.current)
  }, [problem])

  function choose(chosen: File[]) {
    upload.choose(chosen)
    setProblem({})
  }
  function change(fields: Partial<DocumentForm>) {
    setForm({ ...form, ...fields })
    setProblem({})
  }
  function refuse(error: ApiProblem) {
    showResult(failureText(error), 'error')
  }

  async function onSubmit(event: FormEvent) {
    event.preventDefault()
    const side = sideProblem(form)
    if (side) return setProblem({ side: refusalText(texts, side) })
    // A date that was typed in part has no value.
    if (element.current?.querySelector('input[type="date"]:invalid')) {
      return setProblem({ end: refusalText(texts, 'invalid.document_end') })
    }
    setProblem({})
    const { qr_id, is_public, no_end, ...fields } = form
    const made = await send<{ id: string; pdf_problem: PdfProblem | null }>(
      `/documents/upload/${qr_id}${replaces ? `?replaces=${replaces}` : ''}`,
      { ...fields, is_public: String(is_public), no_end: String(no_end) },
      refuse,
    )
    if (!made) return
    settle(element.current)
    const done = uploadText(made.pdf_problem)
    if (rest.length === 0) return finishDialog(done, `document-${made.id}`)
    showResult(done)
    choose(rest)
    setForm({ ...form, ...typeOfNext(form) })
    await reloadList()
  }

  const ready = Boolean(form.qr_id && form.document_type && file)
  return { upload: { ...upload, choose }, element, form, change, ready, onSubmit, said: problem }
}

/** The front is usually followed by the back; otherwise the type is unknown. */
function typeOfNext({ document_type, document_side }: DocumentForm) {
  return document_side === 'front'
    ? { document_type, document_side: 'back' }
    : { document_type: '', document_side: '', expires_on: '', no_end: false }
}

function sideProblem({ document_type, document_side }: DocumentForm): Refusal | undefined {
  try {
    readDocumentFields({ document_type, document_side })
    return undefined
  } catch (error) {
    return (error as DomainError).refusal
  }
}

/** Puts the reason behind the failure. */
function failureText({ status, message }: ApiProblem): string {
  const why = status === 0 ? 'No connection. The file is still chosen: try again.' : message
  return ['Failed to upload document', why].filter(Boolean).join('. ')
}
