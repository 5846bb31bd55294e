import { readReceiptPdf } from '#actions/plans/receipts.ts'
import { prefixOf } from '#domain/brands/brand.ts'
import { DomainError } from '#domain/error.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { sendFile } from '#routes/_http/downloads.ts'
import { requireAccount } from '#routes/_http/guards.ts'

/** Sends the receipt `R-2026-000123.pdf` of the caller; to an admin any. Throws not_found. */
export async function sendReceipt(c: AppContext, file: string): Promise<Response> {
  const number = /^(R-\d{4}-\d{6,})\.pdf$/.exec(file)?.[1]
  if (!number) throw new DomainError('not_found.receipt')
  const { brand, deps } = c.var
  const isHidden = brand?.isAlone ?? false
  const pdf = await readReceiptPdf(deps, requireAccount(c), { number, isHidden })
  return sendFile(c, inOnePiece(pdf), {
    name: `${prefixOf(brand)}-${file}`,
    type: 'application/pdf',
  })
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes
}
