import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'
import { Dropzone, UploadProgress } from '#components/ui/dropzone.tsx'
import { Note } from '#components/ui/note.tsx'
import { fileProblem, IMAGE_FILES } from '#domain/papers/file-kind.ts'
import type { ApiProblem } from '#islands/_api.ts'
import { ChosenFile } from '#islands/_chosen-file.tsx'
import { finishDialog } from '#islands/_dialog.ts'
import { useModal } from '#islands/_modal.ts'
import { sendFile } from '#islands/_send-file.ts'
import { dismissErrors, showToast } from '#islands/_toast.ts'

const FAILED = 'Failed to upload image'

/** Takes in a picture for finders to see first. */
export function PopupUpload({ action, message }: { action: string; message?: string | undefined }) {
  const [scripted, setScripted] = useState(false)
  const [file, setFile] = useState<File>()
  const [percent, setPercent] = useState<number>()
  const sending = useRef<AbortController>(null)
  const modal = useModal()
  useEffect(() => {
    setScripted(true)
    return () => sending.current?.abort()
  }, [])
  const problem = file && fileProblem(file, IMAGE_FILES)
  const busy = percent !== undefined

  async function send(chosen: File) {
    const form = new FormData()
    form.set('file', chosen)
    sending.current = new AbortController()
    const { signal } = sending.current
    setPercent(0)
    const path = '/popup-images/upload'
    const { id } = await sendFile<{ id: string }>(path, form, { onPercent: setPercent, signal })
    await finishDialog('Popup image uploaded successfully!', `image-${id}`)
  }

  async function onSubmit(event: FormEvent) {
    event.preventDefault()
    dismissErrors()
    if (!file || problem) return showToast(problem ?? FAILED, 'error')
    await send(file).catch((error: ApiProblem) => {
      if (!sending.current?.signal.aborted) showToast(error.message || FAILED, 'error')
    })
    setPercent(undefined)
  }

  return (
    <Dialog title="Upload popup image" size="small" {...modal}>
      <form
        method="post"
        action={action}
        encType="multipart/form-data"
        noValidate={scripted}
        onSubmit={onSubmit}
      >
        <DialogBody>
          {message && <Note tone="warn">{message}</Note>}
          <fieldset className="stack" disabled={busy}>
            <legend className="vh">Image</legend>
            <Dropzone
              hint="max 5MB, JPG/PNG/WebP"
              accept={IMAGE_FILES.accept}
              error={problem}
              onFiles={([first]) => setFile(first)}
            >
              {file && <ChosenFile file={file} />}
            </Dropzone>
          </fieldset>
          {busy && file && <UploadProgress name={file.name} percent={percent} />}
        </DialogBody>
        <DialogFoot>
          <DialogCancel>Cancel</DialogCancel>
          <button
            className="btn btn-main"
            type="submit"
            disabled={scripted && (busy || !file)}
            aria-busy={busy}
          >
            {busy ? 'Uploading…' : 'Upload'}
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
