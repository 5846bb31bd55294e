import type { ActionDeps } from '#actions/deps.ts'
import {
  createChildCodes,
  createUnclaimedCodes,
  type MadeQrCode,
  type Making,
} from '#db/codes/qr-creation.ts'
import type { Acting } from '#domain/people/acting.ts'

/** Returns the time for new codes, and the installation's default contact mode. */
export function makingOf({ clock, config }: Pick<ActionDeps, 'clock' | 'config'>): Making {
  return { now: clock(), contactMode: config.defaultContactMode }
}

const CREATE = { bulk: createUnclaimedCodes, child: createChildCodes }

type Batch = {
  kind: keyof typeof CREATE
  quantity: unknown
  activation?: boolean
  /** identifies a page's form: sending the same form again creates no more codes */
  formKey?: string | undefined
}

/** Creates codes for an account: unclaimed ones, with activation codes on request, or child codes. Throws invalid, forbidden and plan_limit. */
export function createBatch(
  deps: ActionDeps,
  { ownerId, help }: Acting,
  { kind, quantity, activation = false, formKey }: Batch,
): Promise<MadeQrCode[]> {
  const { db, secretKey } = deps
  const making = {
    ...makingOf(deps),
    help,
    ...(activation && { activationKey: secretKey }),
    ...(formKey && { form: { formKey, secretKey } }),
  }
  return CREATE[kind](db, ownerId, quantity, making)
}
