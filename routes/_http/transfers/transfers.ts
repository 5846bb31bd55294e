import { beginTransfer, refuseTransfer, takeOver } from '#actions/transfers/transfers.ts'
import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import {
  countWhatComes,
  findOfferedTransfer,
  type NewTransfer,
  type OfferedTransfer,
} from '#db/transfers/transfers.ts'
import { normalizeEmail } from '#domain/accounts/contact.ts'
import type { QrInput } from '#domain/codes/qr.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { firstWord } from '#domain/codes/visibility.ts'
import {
  type TransferInput,
  transferNotFound,
  transferProblem,
} from '#domain/transfers/transfer.ts'
import { limitMailTo } from '#routes/_http/accounts/mail-limits.ts'
import { type AppContext, loggedDeps } from '#routes/_http/context.ts'
import { readPathToken } from '#routes/_http/errors.tsx'
import { guardBy, requireCaller } from '#routes/_http/guards.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import { flag, follows, payload, requires, text } from '#routes/_http/schema.ts'

export const transferForm = requires(
  payload({ email: text('email'), include_documents: flag('include_documents').optional() }),
  { email: 1 },
)
  .transform(
    ({ email, include_documents = false }): TransferInput => ({
      email: normalizeEmail(email ?? ''),
      include_documents,
    }),
  )
  .superRefine(follows(transferProblem))

/** Begins a transfer of one of the caller's codes. Throws too_many above the limits of its mails. */
export function beginForCaller(
  c: AppContext,
  typedQrId: string,
  wish: TransferInput,
): Promise<Pick<NewTransfer, 'id' | 'expires_at'>> {
  const qrId = requireQrId(typedQrId)
  const caller = requireCaller(c)
  const { accountId } = caller
  const to = { address: wish.email, accountId }
  return beginTransfer(c.var.deps, caller, qrId, wish, () =>
    limitMailTo(c, to, 'transfer-contact', 'transfer'),
  )
}

/** Returns the transfer of the link in the path to its recipient. Throws not_found for everybody else. */
export async function readOffered(c: AppContext): Promise<OfferedTransfer> {
  const { db, clock } = c.var.deps
  const token = readPathToken(c)
  const offered = await findOfferedTransfer(db, token, c.var.account, clock())
  if (offered) return offered
  limit(c, 'link')
  throw transferNotFound()
}

/** Returns the view of an offered code: nothing of the code and its owner but the transferred parts. */
export async function viewOffered(c: AppContext, offered: OfferedTransfer) {
  const { id, expires_at, include_documents, code, from } = offered
  const { documents, scans } = await countWhatComes(c.var.deps.db, offered)
  return {
    transfer_id: id,
    expires_at,
    include_documents,
    from_name: firstWord(from.name) ?? '',
    qr_id: code.qr_id,
    vehicle_registration: code.vehicle_registration,
    vehicle_make_model: code.vehicle_make_model,
    document_count: documents,
    scan_count: scans,
  }
}

/** Refuses everybody but the recipient before the payload is validated. */
export const recipientsOnly = guardBy(readOffered)

/** Takes the code of a transfer over for the caller. */
export function acceptForCaller(c: AppContext, fields: Partial<QrInput>): Promise<OwnQrCode> {
  const holder = { token: readPathToken(c), fields }
  return takeOver(loggedDeps(c), requireCaller(c), holder)
}

/** Refuses the code of a transfer for the caller. */
export function declineForCaller(c: AppContext): Promise<void> {
  return refuseTransfer(c.var.deps, requireCaller(c), readPathToken(c))
}
