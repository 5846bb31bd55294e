import type { ReactElement } from 'react'
import { type About, placeBy } from '#components/forms/place-problem.ts'
import { QrTransfer, type QrTransferProps } from '#components/transfers/qr-transfer.tsx'
import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import { listDocuments } from '#db/papers/documents.ts'
import type { Account } from '#db/schema.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { formAction, type QrPlace } from '#domain/dashboard.ts'
import type { DomainError } from '#domain/error.ts'
import { inTypeOrder, typeLabel } from '#domain/papers/document.ts'
import { assertConfirmed } from '#domain/transfers/transfer.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { parseForm } from '#routes/_http/schema.ts'
import { beginForCaller, transferForm } from '#routes/_http/transfers/transfers.ts'

/** Returns whether an account can begin a transfer: it owns the code, which has or gets a contact page. */
export function canTransfer({ id }: Pick<Account, 'id'>, code: OwnQrCode): boolean {
  if (code.is_claimed_away || code.owner_id !== id) return false
  return code.qr_type === 'child' || code.is_claimed
}

type Refused = Pick<QrTransferProps, 'typed' | 'problems' | 'message'>

/** Asks for the recipient of a code. */
export async function transferDialog(
  c: AppContext,
  account: Account,
  { place, code }: { place: QrPlace; code: OwnQrCode },
  refused: Refused = {},
): Promise<ReactElement> {
  const { qr_id, vehicle_registration, vehicle_make_model, child_name } = code
  const all = await listDocuments(c.var.deps.db, account, qr_id)
  const own = inTypeOrder(all).filter((each) => each.account_id === account.id && !each.is_locked)
  const labels = own.map(({ document_type }) => typeLabel(document_type))
  const props = {
    vehicle_registration,
    vehicle_make_model,
    child_name,
    qr_id_text: formatQrId(qr_id),
    documents: { count: own.length, types: [...new Set(labels)].join(', ') },
    action: formAction(`/${qr_id}/transfer`, place),
    ...refused,
  }
  return <QrTransfer {...props} />
}

const ABOUT: About<'confirm' | 'email'> = {
  'forbidden.child_takes_code': 'email',
  'invalid.code_unconfirmed': 'confirm',
  'invalid.email': 'email',
  'invalid.plate_unconfirmed': 'confirm',
  'invalid.transfer_to_child': 'email',
  'invalid.transfer_to_self': 'email',
}

/** Puts a refusal beside the field that it is about. */
export function placeRefusal(typed: Record<string, unknown>, refusal: DomainError): Refused {
  const { at: problems, elsewhere: message } = placeBy(ABOUT, refusal)
  return { typed, problems, message }
}

/** Begins the transfer. Throws invalid when the code was not typed to confirm. */
export async function beginTyped(
  c: AppContext,
  code: OwnQrCode,
  form: Record<string, unknown>,
): Promise<void> {
  const include_documents = form.include_documents === '1'
  const wish = parseForm(transferForm, { email: form.email, include_documents })
  assertConfirmed(String(form.confirm ?? ''), code)
  await beginForCaller(c, code.qr_id, wish)
}
