import type { ComponentProps, ReactElement } from 'react'
import { type ScanAddress, scanUrl } from '#actions/codes/view.ts'
import { QrDelete } from '#components/codes/qr-delete.tsx'
import { QrFound, QrLost } from '#components/codes/qr-lost.tsx'
import { QrShow } from '#components/codes/qr-show.tsx'
import { QrUndoClaim } from '#components/codes/qr-undo-claim.tsx'
import { QrActivation } from '#components/tags/qr-activation.tsx'
import { QrReplace } from '#components/tags/qr-replace.tsx'
import { needsActivation } from '#db/codes/activation.ts'
import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import type { Account } from '#db/schema.ts'
import type { ResolvedBrand } from '#domain/brands/brand.ts'
import { nameOf } from '#domain/codes/code-title.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { dialogHref, FIRST_PLACE, formAction, type QrPlace } from '#domain/dashboard.ts'
import { has } from '#domain/people/roles.ts'
import { qrSvg } from '#formats/qr-image.ts'
import type { AppContext } from '#routes/_http/context.ts'

/** A request for a dialog over the list of codes. */
export type ListRequest = { c: AppContext; account: Account; place: QrPlace }
/** A request for a dialog, with the id of its code or another value of the address. */
export type DialogRequest = ListRequest & { qrId: string }

export function deleteDialog(place: QrPlace, code: OwnQrCode, message?: string): ReactElement {
  const { qr_id, vehicle_registration } = code
  const action = formAction(`/${qr_id}/delete`, place)
  const props = { qr_id_text: formatQrId(qr_id), vehicle_registration, action, message }
  return <QrDelete {...props} />
}

export async function undoClaimDialog(
  { c, place }: Pick<ListRequest, 'c' | 'place'>,
  { qr_id }: Pick<OwnQrCode, 'qr_id'>,
  message?: string,
): Promise<ReactElement> {
  const action = formAction(`/${qr_id}/undo-claim`, place)
  const needs_activation = await needsActivation(c.var.deps.db, qr_id)
  const props = { qr_id_text: formatQrId(qr_id), needs_activation, action, message }
  return <QrUndoClaim {...props} />
}

export function lostDialog(
  { account, place }: Pick<ListRequest, 'account' | 'place'>,
  code: OwnQrCode,
  refused: Pick<ComponentProps<typeof QrLost>, 'typed' | 'message'> = {},
): ReactElement {
  const action = formAction(`/${code.qr_id}/lost`, place)
  return <QrLost {...shownOf(account, code)} action={action} {...refused} />
}

export function foundDialog(
  { account, place }: Pick<ListRequest, 'account' | 'place'>,
  code: OwnQrCode,
): ReactElement {
  const { vehicle_registration, qr_id_text } = shownOf(account, code)
  const action = formAction(`/${code.qr_id}/lost`, place)
  return <QrFound {...{ vehicle_registration, qr_id_text, action }} />
}

export function replaceDialog(
  { account, place }: Pick<ListRequest, 'account' | 'place'>,
  code: OwnQrCode,
  message?: string,
): ReactElement {
  const action = formAction(`/${code.qr_id}/replace`, place)
  return <QrReplace {...shownOf(account, code)} action={action} message={message} />
}

/** Describes a code for a dialog, with its child user unless that is the reader. */
function shownOf(
  account: Account,
  { qr_id, vehicle_registration, owner_id, child_name }: OwnQrCode,
) {
  return {
    vehicle_registration,
    qr_id_text: formatQrId(qr_id),
    child_name: account.id === owner_id ? child_name : null,
  }
}

export function activationDialog(
  place: QrPlace,
  { qr_id, needs_activation }: Pick<OwnQrCode, 'qr_id' | 'needs_activation'>,
  message?: string,
): ReactElement {
  const action = formAction(`/${qr_id}/activation`, place)
  const props = { qr_id_text: formatQrId(qr_id), needs_activation, action, message }
  return <QrActivation {...props} />
}

export function showDialog(branding: ResolvedBrand & ScanAddress, code: OwnQrCode): ReactElement {
  const { qr_id, vehicle_registration } = code
  const svg = Buffer.from(qrSvg(scanUrl(branding, qr_id), 10)).toString('base64')
  const image = `data:image/svg+xml;base64,${svg}`
  const qr_id_text = formatQrId(qr_id)
  const labels_href = dialogHref('labels', FIRST_PLACE, qr_id)
  const shown = { qr_id, qr_id_text, name: nameOf(code), image, vehicle_registration, labels_href }
  const may = { download: has(code.access, 'download'), print: has(code.access, 'edit') }
  return <QrShow {...shown} may={may} hasBrand={branding.brand !== undefined} />
}
