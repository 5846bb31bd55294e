import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { DocumentForm } from '#components/papers/document-fields.tsx'
import { readDocumentFields } from '#domain/papers/document.ts'
import { DOCUMENT_FILES, fileProblem } from '#domain/papers/file-kind.ts'
import type { ApiProblem } from '#islands/_api.ts'
import { finishDialog, reloadList } from '#islands/_dialog.ts'
import { dismissErrors, showToast } from '#islands/_toast.ts'
import { uploadFile } from '#islands/_upload-file.ts'

type Problem = { side?: string; file?: string | undefined; form?: string | undefined }

/** What the upload form does: the files that were chosen go one after another, each as what it is. */
export function useDocumentUpload(start: DocumentForm, message: string | undefined) {
  const [form, setForm] = useState(start)
  const [files, setFiles] = useState<File[]>([])
  const [problem, setProblem] = useState<Problem>({ form: message })
  const [percent, setPercent] = useState<number>()
  const sending = useRef<AbortController>(null)
  useEffect(() => () => sending.current?.abort(), [])
  const [file, ...rest] = files

  function choose(chosen: File[]) {
    const [first] = chosen
    setFiles(chosen)
    setProblem({ file: first && fileProblem(first, DOCUMENT_FILES) })
  }
  function change(fields: Partial<DocumentForm>) {
    setForm({ ...form, ...fields })
    setProblem({ file: problem.file })
  }

  async function send(chosen: File) {
    const body = new FormData()
    const { qr_id, ...fields } = form
    for (const [name, value] of Object.entries(fields)) body.set(name, String(value))
    body.set('file', chosen)
    sending.current = new AbortController()
    const { signal } = sending.current
    setPercent(0)
    const path = `/documents/upload/${qr_id}`
    const { id } = await uploadFile<{ id: string }>(path, body, { onPercent: setPercent, signal })
    setPercent(undefined)
    const [next] = rest
    if (!next) return finishDialog('Document uploaded successfully!', `document-${id}`)
    showToast('Document uploaded successfully!')
    choose(rest)
    setForm({ ...form, ...typeOfNext(form) })
    await reloadList()
  }

  async function onSubmit(event: FormEvent) {
    event.preventDefault()
    dismissErrors()
    const side = sideProblem(form)
    if (side) return setProblem({ side })
    if (!file || problem.file) return showToast(problem.file ?? 'Please select a file', 'error')
    setProblem({})
    try {
      await send(file)
    } catch (error) {
      if (sending.current?.signal.aborted) return
      setPercent(undefined)
      showToast('Failed to upload document', 'error')
      setProblem({ form: refusalText(error as ApiProblem) })
    }
  }

  const ready = Boolean(form.qr_id && form.document_type && file)
  return { form, change, file, left: rest.length, choose, problem, percent, ready, onSubmit }
}

/** After the front mostly comes the back; else nobody can tell. */
function typeOfNext({ document_type, document_side }: DocumentForm) {
  return document_side === 'front'
    ? { document_type, document_side: 'back' }
    : { document_type: '', document_side: '' }
}

function sideProblem({ document_type, document_side }: DocumentForm): string | undefined {
  try {
    readDocumentFields({ document_type, document_side })
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

function refusalText({ status, message }: ApiProblem): string {
  if (status === 0) return 'The server cannot be reached. The file is still chosen: try again.'
  return message || 'Failed to upload document'
}
