import { Icon } from '#components/icons/icon.tsx'
import { readChoice, zipHref } from '#domain/codes/qr-choice.ts'
import { dialogHref, type QrPlace } from '#domain/dashboard.ts'
import { formatCount } from '#domain/number.ts'

/** Files of all codes of the list, not only of this page. */
export function ListFiles({ place, total }: { place: QrPlace; total: number }) {
  const codes = total === 1 ? 'this QR code' : `all ${formatCount(total)} QR codes`
  return (
    <nav className="list-files" aria-label={`Files of ${codes}`}>
      <a className="btn" href={dialogHref('labels', place)} data-dialog="labels">
        <Icon name="print" />
        Print labels
      </a>
      <a className="btn" href={zipHref(readChoice('1', place))} download>
        <Icon name="download" />
        Download ZIP
      </a>
    </nav>
  )
}
