/** The dialogs of My QR Codes. An island opens them on the spot by data-action, a link by its page. */
export type QrDialog =
  | 'create'
  | 'bulk'
  | 'child'
  | 'upgrade'
  | 'show-qr'
  | 'docs'
  | 'edit'
  | 'delete'

export function dialogHref(dialog: QrDialog, qrId?: string): string {
  return qrId
    ? `/dashboard?tab=my-qrs&dialog=${dialog}&qr=${qrId}`
    : `/dashboard?tab=my-qrs&dialog=${dialog}`
}
