import type { FormEvent } from 'react'
import { Dropzone, UploadProgress } from '#components/ui/dropzone.tsx'
import { upgradeAction, upgradeHref } from '#domain/dashboard.ts'
import { IMAGE_FILES } from '#domain/papers/file-kind.ts'
import { ChosenFile } from '#islands/ui/_chosen-file.tsx'
import { renewDialog } from '#islands/ui/_dialog.ts'
import { showToast } from '#islands/ui/_toast.ts'
import { useUpload } from '#islands/ui/_upload.ts'

/** Sends the picture of a payment, in place of an earlier one. */
export function UpgradeScreenshot({ id, sent }: { id: string; sent: boolean }) {
  const { input, file, choose, problem, percent, send } = useUpload(
    IMAGE_FILES,
    'Failed to upload image',
  )
  const busy = percent !== undefined

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (!(await send(`/subscription/upgrade/${id}/screenshot`))) return
    showToast('Screenshot sent')
    await renewDialog('upgrade', upgradeHref(), form)
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
        <Dropzone
          input={input}
          hint="Screenshot of the payment, max 5MB, JPG/PNG/WebP"
          accept={IMAGE_FILES.accept}
          error={problem}
          onFiles={choose}
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
