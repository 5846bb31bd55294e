import { AskDialog } from '#components/forms/ask-dialog.tsx'
import { ThumbImage } from '#components/ui/thumb.tsx'

type PopupDeleteProps = { file_name: string; url: string; action: string }

/** Asks before an image goes for good. */
export function PopupDelete({ file_name, url, action }: PopupDeleteProps) {
  return (
    <AskDialog
      title="Delete this image?"
      keep="Keep Image"
      action={action}
      refused="Delete failed ({status}): {detail}"
      unsaid="Failed to delete popup image"
      failed="Network error: No response from server"
    >
      <div className="thumb thumb-whole">
        <ThumbImage src={url} alt="" />
      </div>
      <p>
        <b className="any-break">{file_name}</b> is deleted for good. Finders will no longer see it.
      </p>
    </AskDialog>
  )
}
