import type { ActionDeps } from '#actions/deps.ts'
import { removeStoredFiles } from '#actions/papers/files.ts'
import { type OpenUpload, orRemove } from '#actions/papers/uploads.ts'
import { getBrand, type StoredBrand, saveBrand, setLogo } from '#db/brands/brands.ts'
import { notePrints } from '#db/brands/domains.ts'
import { noteFirstPrints } from '#db/codes/first-steps.ts'
import type { Account } from '#db/schema.ts'
import {
  assertBranding,
  assertNamed,
  type Brand,
  type BrandFields,
  hasWhiteLabel,
  type ResolvedBrand,
  readBrandFields,
} from '#domain/brands/brand.ts'
import { LOGO_FILES } from '#domain/papers/file-kind.ts'
import type { MailBrand } from '#mail/letter.ts'
import { keepLogo } from '#storage/intake.ts'
import { withUpload } from '#storage/uploads.ts'

/** Stores an uploaded logo in its two sizes, and removes the previous one. */
export async function uploadLogo(
  deps: ActionDeps,
  accountId: string,
  open: OpenUpload,
): Promise<StoredBrand> {
  const { db, files, clock } = deps
  return withUpload(files, LOGO_FILES, open(), async (upload) => {
    const kept = await keepLogo(files, upload)
    return orRemove(deps, [kept.logo_file], async () => {
      const { brand, stored_names } = await setLogo(db, accountId, kept, clock())
      await removeStoredFiles(deps, { stored_names })
      return brand
    })
  })
}

/** Removes the logo of an account and its file. */
export async function removeLogo(deps: ActionDeps, accountId: string): Promise<StoredBrand> {
  const { db, clock } = deps
  const { brand, stored_names } = await setLogo(
    db,
    accountId,
    { logo: null, logo_file: null },
    clock(),
  )
  await removeStoredFiles(deps, { stored_names })
  return brand
}

/** Records that codes are printed or downloaded with the domain of their account, if it has one. */
export async function notePrinted(
  { db }: Pick<ActionDeps, 'db'>,
  { address }: ResolvedBrand,
  codes: { qr_id: string }[],
): Promise<void> {
  if (!address) return
  const ids = codes.map(({ qr_id }) => qr_id)
  await notePrints(db, new URL(address).hostname, ids)
}

/** Records a download of codes, which ends the step to print them. */
export async function noteDownloaded(
  deps: Pick<ActionDeps, 'db' | 'clock'>,
  branding: ResolvedBrand,
  codes: { qr_id: string }[],
): Promise<void> {
  await notePrinted(deps, branding, codes)
  const ids = codes.map(({ qr_id }) => qr_id)
  await noteFirstPrints(deps.db, ids, deps.clock())
}

/** Returns the brand of the mails about an account's codes, and the base URL of their links. */
export async function resolveMailBrand(
  deps: Pick<ActionDeps, 'config' | 'files' | 'log'>,
  { brand, address }: ResolvedBrand,
): Promise<{ brand: MailBrand | undefined; publicUrl: string; site: string }> {
  const publicUrl = address ?? deps.config.publicUrl
  const mailBrand = brand && { ...brand, logo: await readLogo(deps, brand) }
  return { brand: mailBrand, publicUrl, site: new URL(publicUrl).host }
}

/** Returns the logo of a brand as a PNG, or undefined without one. Only logs a missing file. */
export async function readLogo(
  { files, log }: Pick<ActionDeps, 'files' | 'log'>,
  brand: Brand | undefined,
): Promise<Buffer | undefined> {
  const name = brand?.logo_file
  const size = name ? await files.size(name) : undefined
  if (!name) return undefined
  if (!size) {
    log.error({ missing: [name] }, 'stored files are missing')
    return undefined
  }
  const pieces: Uint8Array[] = []
  for await (const piece of files.read(name, { first: 0, last: size - 1 })) pieces.push(piece)
  return Buffer.concat(pieces)
}

type BrandForm = Omit<BrandFields, 'hide_product_name'> & {
  hide_product_name?: boolean | undefined
}

/** Changes the brand of an account. Throws invalid, and forbidden for fields that the plan does not have. */
export async function changeBrand(
  { db, clock }: ActionDeps,
  account: Account,
  { hide_product_name: wanted, ...form }: BrandForm,
): Promise<StoredBrand> {
  assertBranding(account)
  const { subscription_plan: plan, id } = account
  const fields = readBrandFields({ ...form, hide_product_name: wanted ?? false }, plan)
  const hide_product_name = wanted ?? (await getBrand(db, id)).hide_product_name
  if (hasWhiteLabel(plan)) assertNamed({ ...fields, hide_product_name })
  return saveBrand(db, id, { ...fields, hide_product_name }, clock())
}
