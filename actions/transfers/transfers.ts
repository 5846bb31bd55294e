import { resolveMailBrand } from '#actions/brands/brands.ts'
import { makingOf } from '#actions/codes/making.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { assertMailCanBeSent, byMail, byMailTo, mailOrigin, once } from '#actions/mail.ts'
import { removeStoredFiles } from '#actions/papers/files.ts'
import type { Caller } from '#db/accounts/credentials.ts'
import { resolveAccountBrand } from '#db/brands/resolve-brand.ts'
import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import { type AcceptedTransfer, acceptTransfer, type NewHolder } from '#db/transfers/acceptance.ts'
import {
  declineTransfer,
  type NewTransfer,
  type OfferedTransfer,
  startTransfer,
} from '#db/transfers/transfers.ts'
import type { TransferInput } from '#domain/transfers/transfer.ts'
import { declinedMail, handedOverMail, takenOverMail, transferMail } from '#mail/transfers.ts'

/** Returns the path of the page on which a recipient decides. */
export function transferPath(token: string): string {
  return `/transfer/${token}`
}

/**
 * Begins a transfer, and mails its recipient the link. `countMail` throws above the limits of such mails,
 * which undoes the transfer. Throws the errors of `startTransfer`, and unavailable without a mail server.
 */
export async function beginTransfer(
  deps: ActionDeps,
  caller: Caller,
  qrId: string,
  wish: TransferInput,
  countMail: () => void,
): Promise<Pick<NewTransfer, 'id' | 'expires_at'>> {
  const countMailOnce = once(countMail)
  const { db, clock, config } = deps
  const { brand } = await resolveMailBrand(
    deps,
    await resolveAccountBrand(db, caller.accountId, clock()),
  )
  const notify = byMail(deps, ({ email: to, token, code, from, expires_at }: NewTransfer) => {
    assertMailCanBeSent(deps)
    countMailOnce()
    const url = config.publicUrl + transferPath(token)
    const about = { code, owner: from.name, expiresAt: expires_at, url, brand }
    return { to, expiresAt: expires_at, ...transferMail({ ...mailOrigin(deps), ...about }) }
  })
  return startTransfer(db, caller, qrId, wish, clock(), notify)
}

/** Takes a code over, mails both, and deletes the files of documents that did not go along. */
export async function takeOver(
  deps: ActionDeps,
  caller: Caller,
  holder: NewHolder,
): Promise<OwnQrCode> {
  const { db, clock, config, secretKey } = deps
  const now = clock()
  const toOld = byMailTo(deps, ({ code, from, email, include_documents }: AcceptedTransfer) => {
    const about = { code, email, include_documents, now }
    return { accountId: from.id, ...handedOverMail({ ...mailOrigin(deps), ...about }) }
  })
  const toNew = byMailTo(deps, ({ code, to }: AcceptedTransfer) => {
    const about = { code, url: `${config.publicUrl}/dashboard`, now }
    return { accountId: to.id, ...takenOverMail({ ...mailOrigin(deps), ...about }) }
  })
  const rules = { secretKey, ...makingOf(deps) }
  const taken = await acceptTransfer(db, caller, holder, rules, async (trx, accepted) => {
    await toOld(trx, accepted)
    await toNew(trx, accepted)
  })
  await removeStoredFiles(deps, taken)
  return taken.code
}

/** Refuses a code, and tells its owner. */
export async function refuseTransfer(
  deps: ActionDeps,
  caller: Caller,
  token: string,
): Promise<void> {
  const notify = byMailTo(deps, ({ code, from, email }: OfferedTransfer) => ({
    accountId: from.id,
    ...declinedMail({ ...mailOrigin(deps), code, email }),
  }))
  await declineTransfer(deps.db, caller, token, deps.clock(), notify)
}
