import type { ComponentProps, ReactElement } from 'react'
import { QrQuantity } from '#components/codes/qr-quantity.tsx'
import { countQrCodes } from '#db/accounts/accounts.ts'
import { resolveAccountBrand } from '#db/brands/resolve-brand.ts'
import { countSeenCodes, type OwnQrCode } from '#db/codes/qr-codes.ts'
import type { Account } from '#db/schema.ts'
import { randomToken } from '#db/secrets.ts'
import { displayPhone } from '#domain/accounts/phone.ts'
import { type ShownBrand, shownBrand } from '#domain/brands/brand.ts'
import {
  cleanQrFields,
  QR_REFUSALS,
  type QrInput,
  QUANTITY_DEFAULT,
  QUANTITY_MAX,
} from '#domain/codes/qr.ts'
import type { EditedCode, KnownFields } from '#domain/codes/qr-form.ts'
import { dialogHref, formAction } from '#domain/dashboard.ts'
import { ownersFor } from '#domain/people/acting.ts'
import { actsFor, isBoundToCompany } from '#domain/people/share.ts'
import { Island, type IslandProps } from '#islands/_island.tsx'
import { en } from '#locales/catalogue.ts'
import { englishTexts } from '#locales/refusal.ts'
import type { AppContext } from '#routes/_http/context.ts'
import type { ListRequest } from '#routes/dashboard/codes/_code-dialogs.tsx'

const TEXTS = { holder: en.holder, refusals: englishTexts(QR_REFUSALS) }

type FormState = Pick<
  IslandProps<'qr-form'>,
  'typed' | 'problems' | 'offered' | 'notice' | 'form_key' | 'owner_id'
>

/** Returns the brand of the account's codes, for the preview in the form. */
async function brandOf(c: AppContext, id: string): Promise<ShownBrand | undefined> {
  const { db, clock } = c.var.deps
  const { brand } = await resolveAccountBrand(db, id, clock())
  return brand && shownBrand(brand)
}

export async function createDialog(
  { c, account, place }: ListRequest,
  { form_key = randomToken(), ...state }: FormState = {},
): Promise<ReactElement> {
  const props = {
    action: formAction('', place),
    texts: TEXTS,
    known: knownFields(c, account),
    owners: ownersFor(account, 'create'),
    isFirst: (await countSeenCodes(c.var.deps.db, account)) === 0,
    brand: await brandOf(c, account.id),
    form_key,
    ...state,
  }
  return <Island name="qr-form" props={props} />
}

function knownFields(c: AppContext, { name, mobile, email }: Account): KnownFields {
  return {
    owner_name: name,
    contact_phone: mobile && displayPhone(mobile),
    email,
    contact_mode: c.var.deps.config.defaultContactMode,
  }
}

export async function editDialog(
  { c, account, place }: ListRequest,
  code: OwnQrCode,
  state: FormState = {},
): Promise<ReactElement> {
  const props = {
    action: formAction(`/${code.qr_id}`, place),
    texts: TEXTS,
    code: toEditedCode(code),
    isBoundToCompany: isBoundToCompany(account, {
      ...code,
      child_account_id: null,
      claimed_at: null,
    }),
    brand: await brandOf(c, actsFor(account, code)),
    ...state,
  }
  return <Island name="qr-form" props={props} />
}

/** Returns the fields of the form and the state of the code; nothing else reaches the browser. */
export function toEditedCode(code: OwnQrCode): EditedCode {
  const { qr_id, has_pin, updated_at } = code
  return { ...(cleanQrFields(code) as QrInput), qr_id, has_pin, updated_at }
}

type QuantityState = Pick<
  Partial<ComponentProps<typeof QrQuantity>>,
  'quantity' | 'activation' | 'problem' | 'message' | 'form_key' | 'owner_id'
>

/** Returns whether somebody makes codes for owners, too. */
export function makesForOthers(account: Account): boolean {
  return ownersFor(account, 'create').length > 0
}

/** Returns whether somebody has child codes to make, for itself or for an owner. */
export function makesChildCodes(account: Account): boolean {
  return account.child_qr_quota > 0 || makesForOthers(account)
}

export async function quantityDialog(
  kind: 'bulk' | 'child',
  { c, account, place }: ListRequest,
  { form_key = randomToken(), ...state }: QuantityState = {},
): Promise<ReactElement> {
  const { child_qr_quota, qr_limit } = account
  const owners = ownersFor(account, 'create')
  const used = kind === 'bulk' ? await countQrCodes(c.var.deps.db, account.id) : undefined
  const most =
    kind === 'child' && owners.length === 0 ? Math.min(QUANTITY_MAX, child_qr_quota) : QUANTITY_MAX
  const quantity = String(Math.min(QUANTITY_DEFAULT, most))
  const limit = kind === 'bulk' ? { used, qr_limit } : { left: child_qr_quota }
  const import_href = kind === 'bulk' ? dialogHref('import', place) : undefined
  const action = formAction(`/${kind}`, place)
  const props = { kind, most, quantity, limit, owners, action, import_href, form_key, ...state }
  return <QrQuantity {...props} />
}
