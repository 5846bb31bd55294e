import type { FormEvent } from 'react'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'
import { Dropzone, UploadProgress } from '#components/ui/dropzone.tsx'
import { Note } from '#components/ui/note.tsx'
import { IMAGE_FILES } from '#domain/papers/file-kind.ts'
import { ChosenFile } from '#islands/ui/_chosen-file.tsx'
import { finishDialog } from '#islands/ui/_dialog.ts'
import { useModal } from '#islands/ui/_modal.ts'
import { useUpload } from '#islands/ui/_upload.ts'

/** Takes in a picture for finders to see first. */
export function PopupUpload({ action, message }: { action: string; message?: string | undefined }) {
  const { input, scripted, file, choose, problem, percent, send } = useUpload(
    IMAGE_FILES,
    'Failed to upload image',
  )
  const modal = useModal()
  const busy = percent !== undefined

  async function onSubmit(event: FormEvent) {
    event.preventDefault()
    const made = await send<{ id: string }>('/popup-images/upload')
    if (made) await finishDialog('Popup image uploaded successfully!', `image-${made.id}`)
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
              input={input}
              hint="max 5MB, JPG/PNG/WebP"
              accept={IMAGE_FILES.accept}
              error={problem}
              onFiles={choose}
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
