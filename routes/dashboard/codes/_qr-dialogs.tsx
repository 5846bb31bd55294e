import type { ComponentProps, ReactElement } from 'react'
import { resolveBrandOf, type ScanAddress, scanUrl } from '#actions/codes/view.ts'
import { nameOf } from '#components/codes/qr-card.tsx'
import { QrDelete } from '#components/codes/qr-delete.tsx'
import { QrLost } from '#components/codes/qr-lost.tsx'
import { QrQuantity } from '#components/codes/qr-quantity.tsx'
import { QrShow } from '#components/codes/qr-show.tsx'
import { QrUndoClaim } from '#components/codes/qr-undo-claim.tsx'
import { QrActivation } from '#components/tags/qr-activation.tsx'
import { QrReplace } from '#components/tags/qr-replace.tsx'
import { countQrCodes } from '#db/accounts/accounts.ts'
import { resolveAccountBrand } from '#db/brands/resolve-brand.ts'
import { needsActivation } from '#db/codes/activation.ts'
import { getOwnQrCode, type OwnQrCode } from '#db/codes/qr-codes.ts'
import type { Account } from '#db/schema.ts'
import { randomToken } from '#db/secrets.ts'
import { type ResolvedBrand, type ShownBrand, shownBrand } from '#domain/brands/brand.ts'
import { cleanQrFields, type QrInput, QUANTITY_DEFAULT, QUANTITY_MAX } from '#domain/codes/qr.ts'
import type { EditedCode } from '#domain/codes/qr-form.ts'
import { formatQrId, requireQrId } from '#domain/codes/qr-id.ts'
import { dialogHref, FIRST_PLACE, formAction, type QrPlace, readPlace } from '#domain/dashboard.ts'
import { QR_DIALOGS, type QrDialog } from '#domain/dialogs.ts'
import { qrSvg } from '#formats/qr-image.ts'
import { Island, type IslandProps } from '#islands/_island.tsx'
import { en } from '#locales/catalogue.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { importDialog } from '#routes/dashboard/codes/_import-dialog.tsx'
import { labelsDialog, madeDialog } from '#routes/dashboard/codes/_label-dialogs.tsx'
import { chosenDialog } from '#routes/dashboard/codes/_selection-dialogs.tsx'
import { canTransfer, transferDialog } from '#routes/dashboard/transfers/_transfer-dialog.tsx'

type Asked = { c: AppContext; account: Account; place: QrPlace; qrId: string }

const DIALOGS: Record<QrDialog, (asked: Asked) => Promise<ReactElement | undefined>> = {
  create: async ({ c, account, place }) =>
    createDialog(c, place, { brand: await brandOf(c, account) }),
  edit: async (asked) => {
    const code = await askedCode(asked)
    return code.is_claimed_away
      ? undefined
      : editDialog(asked.place, code, { brand: await brandOf(asked.c, asked.account) })
  },
  delete: async (asked) => {
    const code = await askedCode(asked)
    return code.is_claimed_away ? undefined : deleteDialog(asked.place, code)
  },
  'undo-claim': async (asked) => {
    const code = await askedCode(asked)
    return code.is_claimed_away ? undoClaimDialog(asked, code) : undefined
  },
  lost: async (asked) => {
    const code = await askedCode(asked)
    return code.is_claimed_away || code.lost ? undefined : lostDialog(asked, code)
  },
  replace: async (asked) => {
    const code = await askedCode(asked)
    return code.is_claimed_away ? undefined : replaceDialog(asked, code)
  },
  activation: async (asked) => {
    const code = await askedCode(asked)
    return code.is_claimed ? undefined : activationDialog(asked.place, code)
  },
  transfer: async (asked) => {
    const { c, account, place } = asked
    const code = await askedCode(asked)
    return canTransfer(account, code) ? transferDialog(c, account, { place, code }) : undefined
  },
  show: async (asked) => {
    const branding = await resolveBrandOf(asked.c.var.deps, asked.account.id)
    return showDialog(branding, await askedCode(asked))
  },
  bulk: async (asked) => quantityDialog('bulk', asked),
  child: async (asked) =>
    asked.account.child_qr_quota > 0 ? quantityDialog('child', asked) : undefined,
  made: madeDialog,
  labels: labelsDialog,
  import: async ({ place }) => importDialog(place),
  chosen: chosenDialog,
}

/** The dialog that the address asks for. Throws not_found for a code that is not the account's. */
export async function askedDialog(
  c: AppContext,
  account: Account,
): Promise<ReactElement | undefined> {
  const name = QR_DIALOGS.find((dialog) => c.req.query(dialog))
  if (!name) return undefined
  const qrId = c.req.query(name) ?? ''
  return DIALOGS[name]({ c, account, place: readPlace(c.req.query()), qrId })
}

function askedCode({ c, account, qrId }: Asked): Promise<OwnQrCode> {
  return getOwnQrCode(c.var.deps.db, account, requireQrId(qrId))
}

const TEXTS = { holder: en.holder }

type FormState = Pick<
  IslandProps<'qr-form'>,
  'typed' | 'problems' | 'notice' | 'brand' | 'form_key'
>

/** Returns the brand of the account's codes, for the preview in the form. */
export async function brandOf(c: AppContext, { id }: Account): Promise<ShownBrand | undefined> {
  const { db, clock } = c.var.deps
  const { brand } = await resolveAccountBrand(db, id, clock())
  return brand && shownBrand(brand)
}

export function createDialog(
  c: AppContext,
  place: QrPlace,
  { form_key = randomToken(), ...state }: FormState = {},
): ReactElement {
  const { defaultContactMode: contact_mode } = c.var.deps.config
  const action = formAction('', place)
  const props = { action, texts: TEXTS, contact_mode, form_key, ...state }
  return <Island name="qr-form" props={props} />
}

export function editDialog(place: QrPlace, code: OwnQrCode, state: FormState = {}): ReactElement {
  const action = formAction(`/${code.qr_id}`, place)
  const { contact_mode } = code
  return (
    <Island
      name="qr-form"
      props={{ action, texts: TEXTS, contact_mode, code: toEditedCode(code), ...state }}
    />
  )
}

/** The fields of the form and what tells the code's state; nothing else reaches the browser. */
export function toEditedCode(code: OwnQrCode): EditedCode {
  const { qr_id, has_pin, updated_at } = code
  return { ...(cleanQrFields(code) as QrInput), qr_id, has_pin, updated_at }
}

export function deleteDialog(place: QrPlace, code: OwnQrCode, message?: string): ReactElement {
  const { qr_id, vehicle_registration } = code
  const action = formAction(`/${qr_id}/delete`, place)
  const qr_id_text = formatQrId(qr_id)
  const props = { qr_id, qr_id_text, vehicle_registration, action, message }
  return <QrDelete {...props} />
}

export async function undoClaimDialog(
  { c, place }: Pick<Asked, 'c' | 'place'>,
  { qr_id }: Pick<OwnQrCode, 'qr_id'>,
  message?: string,
): Promise<ReactElement> {
  const action = formAction(`/${qr_id}/undo-claim`, place)
  const needs_activation = await needsActivation(c.var.deps.db, qr_id)
  const props = { qr_id_text: formatQrId(qr_id), needs_activation, action, message }
  return <QrUndoClaim {...props} />
}

export function lostDialog(
  { account, place }: Pick<Asked, 'account' | 'place'>,
  code: OwnQrCode,
  refused: Pick<ComponentProps<typeof QrLost>, 'typed' | 'message'> = {},
): ReactElement {
  const action = formAction(`/${code.qr_id}/lost`, place)
  return <QrLost {...shownOf(account, code)} action={action} {...refused} />
}

export function replaceDialog(
  { account, place }: Pick<Asked, 'account' | 'place'>,
  code: OwnQrCode,
  message?: string,
): ReactElement {
  const action = formAction(`/${code.qr_id}/replace`, place)
  return <QrReplace {...shownOf(account, code)} action={action} message={message} />
}

/** A code in a dialog, with its user where that is not the reader. */
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

function showDialog(branding: ResolvedBrand & ScanAddress, code: OwnQrCode): ReactElement {
  const { qr_id, vehicle_registration } = code
  const svg = Buffer.from(qrSvg(scanUrl(branding, qr_id), 10)).toString('base64')
  const image = `data:image/svg+xml;base64,${svg}`
  const qr_id_text = formatQrId(qr_id)
  const labels_href = dialogHref('labels', FIRST_PLACE, qr_id)
  const shown = { qr_id, qr_id_text, name: nameOf(code), image, vehicle_registration, labels_href }
  return <QrShow {...shown} hasBrand={branding.brand !== undefined} />
}

type QuantityState = Pick<
  Partial<ComponentProps<typeof QrQuantity>>,
  'quantity' | 'activation' | 'problem' | 'message' | 'form_key'
>

export async function quantityDialog(
  kind: 'bulk' | 'child',
  { c, account, place }: Pick<Asked, 'c' | 'account' | 'place'>,
  { form_key = randomToken(), ...state }: QuantityState = {},
): Promise<ReactElement> {
  const { child_qr_quota, qr_limit } = account
  const used = kind === 'bulk' ? await countQrCodes(c.var.deps.db, account.id) : undefined
  const most = kind === 'child' ? Math.min(QUANTITY_MAX, child_qr_quota) : QUANTITY_MAX
  const quantity = String(Math.min(QUANTITY_DEFAULT, most))
  const limit = kind === 'bulk' ? { used, qr_limit } : { left: child_qr_quota }
  const import_href = kind === 'bulk' ? dialogHref('import', place) : undefined
  const action = formAction(`/${kind}`, place)
  const props = { kind, most, quantity, limit, action, import_href, form_key, ...state }
  return <QrQuantity {...props} />
}
