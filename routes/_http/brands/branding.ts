import type { z } from '@hono/zod-openapi'
import { getBrand, type StoredBrand, saveBrand } from '#db/brands/brands.ts'
import {
  assertBranding,
  assertNamed,
  hasWhiteLabel,
  readBrandFields,
} from '#domain/brands/brand.ts'
import type { brandForm } from '#routes/_http/brands/forms.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'

/** Changes the caller's brand. Throws invalid, and forbidden for what the plan does not have. */
export async function saveCallersBrand(
  c: AppContext,
  form: z.output<typeof brandForm>,
): Promise<StoredBrand> {
  const { db, clock } = c.var.deps
  const account = requireAccount(c)
  assertBranding(account)
  const wanted = form.hide_product_name
  const fields = readBrandFields(
    { ...form, hide_product_name: wanted ?? false },
    account.subscription_plan,
  )
  const hide_product_name = wanted ?? (await getBrand(db, account.id)).hide_product_name
  if (hasWhiteLabel(account.subscription_plan)) assertNamed({ ...fields, hide_product_name })
  return saveBrand(db, account.id, { ...fields, hide_product_name }, clock())
}
