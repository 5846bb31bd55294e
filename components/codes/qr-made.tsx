import { Icon } from '#components/icons/icon.tsx'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'
import { formatCount } from '#domain/number.ts'

type QrMadeProps = { count: number; zip_href: string; labels_href: string }

/** The acts on many new codes at once. */
export function QrMade({ count, zip_href, labels_href }: QrMadeProps) {
  return (
    <Dialog title={`${formatCount(count)} created`} open>
      <DialogBody>
        <p>Take their pictures to a print shop, or print labels yourself.</p>
        <p className="soft">Both can be had later too, below the list of your codes.</p>
      </DialogBody>
      <DialogFoot>
        <DialogCancel>Done</DialogCancel>
        <a className="btn" href={zip_href} download>
          <Icon name="download" />
          Download ZIP
        </a>
        <a className="btn btn-main" href={labels_href} data-dialog="labels">
          <Icon name="print" />
          Print labels
        </a>
      </DialogFoot>
    </Dialog>
  )
}
