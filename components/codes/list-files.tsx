import { Icon } from '#components/icons/icon.tsx'
import { readChoice, zipHref } from '#domain/codes/qr-choice.ts'
import { dialogHref, type QrPlace } from '#domain/dashboard.ts'
import { formatCount } from '#domain/number.ts'
import type { Right } from '#domain/people/roles.ts'

/** `rights`: those that the account has on any of the codes. */
type ListFilesProps = { place: QrPlace; total: number; rights: ReadonlySet<Right> }

/** Files of all codes of the list, not only of this page. */
export function ListFiles({ place, total, rights }: ListFilesProps) {
  if (!rights.has('download')) return null
  const codes = total === 1 ? 'this QR code' : `all ${formatCount(total)} QR codes`
  return (
    <nav className="list-files" aria-label={`Files of ${codes}`}>
      {rights.has('edit') && (
        <a className="btn" href={dialogHref('labels', place)} data-dialog="labels">
          <Icon name="print" />
          Print labels
        </a>
      )}
      <a className="btn" href={zipHref(readChoice('1', place))} download>
        <Icon name="download" />
        Download ZIP
      </a>
    </nav>
  )
}
