import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Dropzone, UploadProgress } from '#components/ui/dropzone.tsx'
import { upgradeAction } from '#domain/dashboard.ts'
import { fileProblem, IMAGE_FILES, NO_FILE } from '#domain/papers/file-kind.ts'
import type { ApiProblem } from '#islands/_api.ts'
import { ChosenFile } from '#islands/_chosen-file.tsx'
import { sendFile } from '#islands/_send-file.ts'
import { dismissErrors, showToast } from '#islands/_toast.ts'
import { renewUpgrade } from '#islands/plans/_upgrade-window.ts'

const FAILED = 'Failed to upload image'

/** Sends the picture of a payment, in place of an earlier one. */
export function ScreenshotForm({ id, sent }: { id: string; sent: boolean }) {
  const [file, setFile] = useState<File>()
  const [percent, setPercent] = useState<number>()
  const sending = useRef<AbortController>(null)
  useEffect(() => () => sending.current?.abort(), [])
  const problem = file && fileProblem(file, IMAGE_FILES)
  const busy = percent !== undefined

  async function send(chosen: File) {
    const form = new FormData()
    form.set('file', chosen)
    sending.current = new AbortController()
    const { signal } = sending.current
    setPercent(0)
    const path = `/subscription/upgrade/${id}/screenshot`
    await sendFile(path, form, { onPercent: setPercent, signal })
    showToast('Screenshot sent')
    setFile(undefined)
    await renewUpgrade()
  }
  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    dismissErrors()
    if (!file || problem) return showToast(problem ?? NO_FILE, 'error')
    await send(file).catch((error: ApiProblem) => {
      if (!sending.current?.signal.aborted) showToast(error.message || FAILED, 'error')
    })
    setPercent(undefined)
  }

  return (
    <form
      className="stack"
      method="post"
      action={upgradeAction(`/${id}/screenshot`)}
      encType="multipart/form-data"
      noValidate
      onSubmit={onSubmit}
    >
      <fieldset className="stack" disabled={busy}>
        <legend className="vh">Screenshot</legend>
        <Dropzone
          hint="Screenshot of the payment, max 5MB, JPG/PNG/WebP"
          accept={IMAGE_FILES.accept}
          error={problem}
          onFiles={([first]) => setFile(first)}
        >
          {file && <ChosenFile file={file} />}
        </Dropzone>
      </fieldset>
      {busy && file && <UploadProgress name={file.name} percent={percent} />}
      <button className="btn btn-block" type="submit" disabled={busy} aria-busy={busy}>
        {sent ? 'Send another screenshot' : 'Send screenshot'}
      </button>
    </form>
  )
}
