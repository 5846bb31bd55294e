import type { ActionDeps } from '#actions/deps.ts'
import {
  createChildCodes,
  createUnclaimedCodes,
  type MadeQrCode,
  type Making,
} from '#db/codes/qr-creation.ts'

/** Returns the time and the installation's defaults for new codes. */
export function makingOf({ clock, config }: Pick<ActionDeps, 'clock' | 'config'>): Making {
  return { now: clock(), contactMode: config.defaultContactMode }
}

const CREATE = { bulk: createUnclaimedCodes, child: createChildCodes }

type Batch = {
  kind: keyof typeof CREATE
  quantity: unknown
  activation?: boolean
  /** of a page's form, which may be sent again */
  formKey?: string | undefined
}

/** Creates codes for an account: unclaimed ones, with activation codes on request, or child codes. */
export function createBatch(
  deps: ActionDeps,
  accountId: string,
  { kind, quantity, activation = false, formKey }: Batch,
): Promise<MadeQrCode[]> {
  const { db, secretKey } = deps
  const making = {
    ...makingOf(deps),
    ...(activation && { activationKey: secretKey }),
    ...(formKey && { form: { formKey, secretKey } }),
  }
  return CREATE[kind](db, accountId, quantity, making)
}
