import { OWN_YELLOW, readColour, type TextColour, textOn } from '#domain/brands/colour.ts'
import { addressOf } from '#domain/brands/domain-name.ts'
import { DomainError } from '#domain/error.ts'
import type { PaidPlan, PlanId } from '#domain/plans/plan.ts'
import { planNow } from '#domain/plans/term.ts'
import { lengthProblem } from '#domain/text.ts'
import type { Refusal } from '#locales/refusal.ts'

/** The name in the texts of the catalogues and mails, which a brand replaces by its own. */
export const PRODUCT = 'DriveQR'

export const BRAND_LENGTHS = { brand_name: 40, footer: 120 } as const

function hasBranding(plan: PlanId): boolean {
  return plan !== 'free'
}

export function hasWhiteLabel(plan: PlanId): boolean {
  return plan === 'enterprise'
}

/** An account with the plan that it has now. */
type Owner = { subscription_plan: PlanId; parent_id: string | null }

/** Returns why an account cannot have a brand: it has a parent, whose brand its codes have, or its plan has none. */
export function brandingRefusal({ parent_id, subscription_plan }: Owner): Refusal | undefined {
  if (parent_id) return 'forbidden.brand_of_child'
  return hasBranding(subscription_plan) ? undefined : 'forbidden.branding'
}

/** Returns why an account cannot have the parts of a brand that only Enterprise has. */
export function whiteLabelRefusal({ parent_id, subscription_plan }: Owner): Refusal | undefined {
  if (parent_id) return 'forbidden.brand_of_child'
  return hasWhiteLabel(subscription_plan) ? undefined : 'forbidden.white_label'
}

/** Throws forbidden for an account that cannot have a brand. */
export function assertBranding(account: Owner): void {
  const refusal = brandingRefusal(account)
  if (refusal) throw new DomainError(refusal)
}

/** Throws forbidden for an account that cannot have the parts that only Enterprise has. */
export function assertWhiteLabel(account: Owner): void {
  const refusal = whiteLabelRefusal(account)
  if (refusal) throw new DomainError(refusal)
}

export type BrandFields = {
  brand_name: string | null
  colour: string | null
  footer: string | null
  hide_product_name: boolean
}

/** Returns the fields to store. Throws invalid, and forbidden for fields that the plan does not have. */
export function readBrandFields(fields: BrandFields, plan: PlanId): BrandFields {
  const { brand_name, footer, hide_product_name } = fields
  const problem =
    lengthProblem('Name', brand_name, BRAND_LENGTHS.brand_name) ??
    lengthProblem('Footer', footer, BRAND_LENGTHS.footer)
  if (problem) throw new DomainError(problem)
  const colour = readColour(fields.colour)
  if (hide_product_name && !hasWhiteLabel(plan)) throw new DomainError('forbidden.white_label')
  assertNamed(fields)
  return { ...fields, colour }
}

/** Throws invalid for a brand that hides the product's name and has no name. */
export function assertNamed({
  hide_product_name,
  brand_name,
}: Pick<BrandFields, 'hide_product_name' | 'brand_name'>): void {
  if (hide_product_name && !brand_name) throw new DomainError('invalid.brand_name_missing')
}

/** A brand as pages, labels and mails show it. */
export type Brand = {
  /** changes with everything that is shown */
  version: string
  name: string | null
  ground: string
  text: TextColour
  footer: string | null
  /** a WebP of at most 3 KB as a data: URL */
  logo: string | null
  /** the stored file of the logo for labels and mails */
  logo_file: string | null
  /** whether the product's name, mark and links are left out */
  isAlone: boolean
}

/** The parts of a brand that small pictures of a page show. */
export type ShownBrand = Pick<Brand, 'name' | 'logo'>

export function shownBrand({ name, logo }: Brand): ShownBrand {
  return { name, logo }
}

/** The row of a brand; everything is null for an account without one. */
export type BrandRow = {
  brand_version: string | null
  brand_name: string | null
  brand_colour: string | null
  brand_footer: string | null
  brand_logo: string | null
  brand_logo_file: string | null
  brand_is_alone: boolean | number | null
  brand_plan: PlanId | null
  brand_term_plan: PaidPlan | null
  brand_term_ends_at: string | null
  brand_is_active: boolean | number | null
  /** the end of a temporary permission, after which the next two columns apply; null without one */
  brand_temporary_until: string | null
  brand_plan_after: PlanId | null
  brand_is_active_after: boolean | number | null
}

/** Returns the brand of a row, unless its plan has no brands or the account is blocked. */
export function brandOf(row: BrandRow, now: Date): Brand | undefined {
  const { brand_version } = row
  const plan = ownersPlan(row, now)
  if (brand_version === null || !hasBranding(plan)) return undefined
  const ground = row.brand_colour ?? OWN_YELLOW
  return {
    version: brand_version,
    name: row.brand_name,
    ground,
    text: textOn(ground).text,
    footer: row.brand_footer,
    logo: row.brand_logo && `data:image/webp;base64,${row.brand_logo}`,
    logo_file: row.brand_logo_file,
    isAlone: Boolean(row.brand_is_alone) && hasWhiteLabel(plan) && row.brand_name !== null,
  }
}

/** The brand of a code, and its owner's domain (`https://…`), if the account and its plan have them now. */
export type ResolvedBrand = { brand: Brand | undefined; address: string | undefined }

/** The row of a brand and its verified domain. */
export type BrandOwnerColumns = BrandRow & { brand_domain: string | null }

export function resolveBrand(row: BrandOwnerColumns, now: Date): ResolvedBrand {
  const { brand_domain } = row
  const hasAddress = hasWhiteLabel(ownersPlan(row, now))
  return {
    brand: brandOf(row, now),
    address: brand_domain && hasAddress ? addressOf(brand_domain) : undefined,
  }
}

/** Returns the plan that the account has now, which is free while it is blocked. */
function ownersPlan(row: BrandRow, now: Date): PlanId {
  const { brand_temporary_until: until, brand_term_plan: term_plan } = row
  const isOver = until !== null && Date.parse(until) <= now.getTime()
  const lasting = isOver ? row.brand_plan_after : row.brand_plan
  const isActive = isOver ? row.brand_is_active_after : row.brand_is_active
  if (lasting === null || !isActive) return 'free'
  const term_ends_at = row.brand_term_ends_at
  return planNow({ subscription_plan: lasting, term_plan, term_ends_at }, now)
}

/** Returns the prefix of the names of downloaded files and of the notes of payments. */
export function prefixOf(brand: Pick<Brand, 'isAlone'> | undefined): string {
  return brand?.isAlone ? 'QR' : PRODUCT
}

/** Replaces the product's name in a text. */
export function inName(text: string, name: string | null | undefined): string {
  // By a function, because a name may contain patterns such as `$&`.
  return name ? text.replaceAll(PRODUCT, () => name) : text
}
