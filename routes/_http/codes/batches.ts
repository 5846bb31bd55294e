import { makingOf } from '#actions/codes/making.ts'
import { createChildCodes, createUnclaimedCodes, type MadeQrCode } from '#db/codes/qr-creation.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { assertMayTry, countTry } from '#routes/_http/rate-limits.ts'

const CREATE = { bulk: createUnclaimedCodes, child: createChildCodes }

type Batch = {
  kind: keyof typeof CREATE
  quantity: unknown
  activation?: boolean
  /** of a page's form, which may be sent again */
  formKey?: string | undefined
}

/**
 * Creates codes for the caller, unclaimed ones with activation codes if they are asked for. Throws the
 * errors of the verbs, and too_many.
 */
export async function createBatch(
  c: AppContext,
  { kind, quantity, activation = false, formKey }: Batch,
): Promise<MadeQrCode[]> {
  assertMayTry(c, 'batch')
  const { id } = requireAccount(c)
  const { db, secretKey } = c.var.deps
  const making = {
    ...makingOf(c.var.deps),
    ...(activation && { activationKey: secretKey }),
    ...(formKey && { form: { formKey, secretKey } }),
  }
  const codes = await CREATE[kind](db, id, quantity, making)
  countTry(c, 'batch')
  return codes
}
