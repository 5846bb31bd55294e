import type { FormEvent } from 'react'
import { upgradeAction, upgradeHref } from '#domain/dashboard.ts'
import { IMAGE_FILES } from '#domain/papers/file-kind.ts'
import { renewDialog } from '#islands/ui/_dialog.ts'
import { showResult } from '#islands/ui/_result.ts'
import { useUpload } from '#islands/ui/_upload.ts'
import { UploadFields } from '#islands/ui/_upload-dialog.tsx'
import type { RefusalTexts } from '#locales/refusal.ts'

type UpgradeScreenshotProps = { id: string; sent: boolean; texts: RefusalTexts }

/** Sends the picture of a payment, in place of an earlier one. */
export function UpgradeScreenshot({ id, sent, texts }: UpgradeScreenshotProps) {
  const { send, ...upload } = useUpload(IMAGE_FILES, texts, 'Failed to upload image')
  const busy = upload.percent !== undefined

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (!(await send(`/subscription/upgrade/${id}/screenshot`))) return
    showResult('Screenshot sent')
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
      <UploadFields
        upload={upload}
        legend="Screenshot"
        hint="Screenshot of the payment, max 5MB, JPG/PNG/WebP"
        accept={IMAGE_FILES.accept}
      />
      <button className="btn btn-block" type="submit" disabled={busy} aria-busy={busy}>
        {sent ? 'Send another screenshot' : 'Send screenshot'}
      </button>
    </form>
  )
}
