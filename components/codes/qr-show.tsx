import { Plate } from '#components/codes/plate.tsx'
import { DownloadLinks } from '#components/codes/qr-card-tools.tsx'
import { QrFrame } from '#components/codes/qr-frame.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Dialog, DialogBody, DialogFoot } from '#components/ui/dialog.tsx'

/** Pixels per module of the images that the full-size dialog offers. */
const FULL_IMAGE_SIZE = 25

type QrShowProps = {
  qr_id: string
  qr_id_text: string
  name: string
  image: string
  vehicle_registration: string | null
  labels_href: string
  /** whether there is a brand to frame it with */
  hasBrand: boolean
  may: { download: boolean; print: boolean }
}

/** A code full size, to be scanned from the screen or downloaded for print. */
export function QrShow(props: QrShowProps) {
  const { qr_id, qr_id_text, name, image, vehicle_registration, labels_href, may } = props
  return (
    <Dialog title={name} size="small" open>
      <DialogBody>
        <div className="qr-full">
          <QrFrame src={image} caption={qr_id_text} alt={`QR code ${qr_id_text}`} />
          {vehicle_registration && <Plate registration={vehicle_registration} />}
        </div>
      </DialogBody>
      {may.download && (
        <DialogFoot>
          <DownloadLinks qrId={qr_id} size={FULL_IMAGE_SIZE} className="btn" />
          {props.hasBrand && (
            <DownloadLinks qrId={qr_id} size={FULL_IMAGE_SIZE} className="btn" hasFrame />
          )}
          {may.print && (
            <a className="btn btn-main" href={labels_href} data-dialog="labels">
              <Icon name="print" />
              Print label
            </a>
          )}
        </DialogFoot>
      )}
    </Dialog>
  )
}
