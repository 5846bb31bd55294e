import type { FormEvent } from 'react'
import { IMAGE_FILES } from '#domain/papers/file-kind.ts'
import { finishDialog } from '#islands/ui/_dialog.ts'
import { useUpload } from '#islands/ui/_upload.ts'
import { UploadDialog } from '#islands/ui/_upload-dialog.tsx'
import type { RefusalTexts } from '#locales/refusal.ts'

type PopupUploadProps = {
  action: string
  /** the account that gets the image, where it is another's */
  owner_id?: string | undefined
  form_key: string
  message?: string | undefined
  texts: RefusalTexts
}

/** Takes in a picture for finders to see first. */
export function PopupUpload({ action, owner_id, form_key, message, texts }: PopupUploadProps) {
  const { send, ...upload } = useUpload(IMAGE_FILES, texts, 'Failed to upload image')

  async function onSubmit(event: FormEvent) {
    event.preventDefault()
    const query = owner_id ? `?${new URLSearchParams({ owner_id })}` : ''
    const made = await send<{ id: string }>(`/popup-images/upload${query}`, { form_key })
    if (made) await finishDialog('Popup image uploaded successfully!', `image-${made.id}`)
  }

  return (
    <UploadDialog
      title="Upload popup image"
      size="small"
      action={action}
      message={message}
      upload={upload}
      legend="Image"
      hint="max 5MB, JPG/PNG/WebP"
      accept={IMAGE_FILES.accept}
      above={<input type="hidden" name="form_key" value={form_key} />}
      ready={upload.file !== undefined}
      onSubmit={onSubmit}
    />
  )
}
