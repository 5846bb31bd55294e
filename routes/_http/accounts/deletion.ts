import { type DeletionBegun, deleteAccount } from '#actions/accounts/deletion.ts'
import { deviceOf } from '#routes/_http/accounts/known-device.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { clearSessionCookie } from '#routes/_http/cookies.ts'
import { requireCaller } from '#routes/_http/guards.ts'

/** Begins to delete the signed-in account, which is signed out. */
export async function deleteOwnAccount(c: AppContext, typed: string): Promise<DeletionBegun> {
  const begun = await deleteAccount(c.var.deps, requireCaller(c), { typed, from: deviceOf(c) })
  clearSessionCookie(c)
  return begun
}
