import { Icon } from '#components/icons/icon.tsx'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'

type DocumentShowProps = { name: string; file_name: string; is_image: boolean; url: string }

/** A document full size; browsers show a PDF best in a tab of its own. */
export function DocumentShow({ name, file_name, is_image, url }: DocumentShowProps) {
  return (
    <Dialog title={name} size="wide" open>
      <DialogBody>
        {is_image ? (
          <img className="viewer" src={url} alt={name} />
        ) : (
          <p className="any-break">{file_name}</p>
        )}
      </DialogBody>
      <DialogFoot>
        <DialogCancel>Close</DialogCancel>
        <a className="btn btn-main" href={url} target="_blank" rel="noopener">
          <Icon name="eye" />
          Open in a new tab
        </a>
      </DialogFoot>
    </Dialog>
  )
}
