import { OWN_YELLOW, readColour, type TextColour, textOn } from '#domain/brands/colour.ts'
import { addressOf } from '#domain/brands/domain-name.ts'
import { DomainError } from '#domain/error.ts'
import type { PaidPlan, PlanId } from '#domain/plans/plan.ts'
import { planNow } from '#domain/plans/term.ts'
import { lengthProblem } from '#domain/text.ts'

/** The name in the texts of the catalogues and mails, where a brand puts its own. */
export const PRODUCT = 'DriveQR'

export const BRAND_LENGTHS = { brand_name: 40, footer: 120 } as const

export const NO_BRANDING = 'Upgrade to Premium to use custom branding'
export const NO_WHITE_LABEL = 'White-label is available on the Enterprise plan'
const NO_BRAND_OF_CHILD = 'Your codes wear the brand of the account that you belong to'
const NAME_NEEDED = 'Please enter a name: it stands where ours is hidden'

function hasBranding(plan: PlanId): boolean {
  return plan !== 'free'
}

export function hasWhiteLabel(plan: PlanId): boolean {
  return plan === 'enterprise'
}

/** An account with the plan that it has now. */
type Owner = { subscription_plan: PlanId; parent_id: string | null }

/** Why an account cannot have a brand: a parent, whose brand its codes wear whatever its plan, or its plan. */
export function brandingRefusal({ parent_id, subscription_plan }: Owner): string | undefined {
  if (parent_id) return NO_BRAND_OF_CHILD
  return hasBranding(subscription_plan) ? undefined : NO_BRANDING
}

/** As `brandingRefusal`, for what only Enterprise has. */
export function whiteLabelRefusal({ parent_id, subscription_plan }: Owner): string | undefined {
  if (parent_id) return NO_BRAND_OF_CHILD
  return hasWhiteLabel(subscription_plan) ? undefined : NO_WHITE_LABEL
}

/** Throws forbidden for an account that cannot have a brand. */
export function assertBranding(account: Owner): void {
  const refusal = brandingRefusal(account)
  if (refusal) throw new DomainError('forbidden', refusal)
}

/** As `assertBranding`, for what only Enterprise has. */
export function assertWhiteLabel(account: Owner): void {
  const refusal = whiteLabelRefusal(account)
  if (refusal) throw new DomainError('forbidden', refusal)
}

export type BrandFields = {
  brand_name: string | null
  colour: string | null
  footer: string | null
  hide_product_name: boolean
}

/** The fields as they are stored. Throws invalid, and forbidden for what the plan does not have. */
export function readBrandFields(fields: BrandFields, plan: PlanId): BrandFields {
  const { brand_name, footer, hide_product_name } = fields
  const problem =
    lengthProblem('Name', brand_name, BRAND_LENGTHS.brand_name) ??
    lengthProblem('Footer', footer, BRAND_LENGTHS.footer)
  if (problem) throw new DomainError('invalid', problem)
  const colour = readColour(fields.colour)
  if (hide_product_name && !hasWhiteLabel(plan)) throw new DomainError('forbidden', NO_WHITE_LABEL)
  assertNamed(fields)
  return { ...fields, colour }
}

/** Throws invalid where nothing would stand in place of the product's name. */
export function assertNamed({
  hide_product_name,
  brand_name,
}: Pick<BrandFields, 'hide_product_name' | 'brand_name'>): void {
  if (hide_product_name && !brand_name) throw new DomainError('invalid', NAME_NEEDED)
}

/** What a page, a label or a mail shows of a brand. */
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

/** What small pictures of a page show of a brand. */
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
  /** until when a temporary permission is; null without one. Then the account has what follows. */
  brand_lent_until: string | null
  brand_plan_after: PlanId | null
  brand_is_active_after: boolean | number | null
}

/** The brand of a row, unless there is none or it is asleep: the plan has none, or the account is blocked. */
export function brandOf(row: BrandRow, now: Date): Brand | undefined {
  const { brand_version } = row
  const plan = wearersPlan(row, now)
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

/** What a code wears: a brand, and its own address (`https://…`), each unless there is none or it is asleep. */
export type Worn = { brand: Brand | undefined; address: string | undefined }

/** The row of what a code wears. Only a verified domain is in it. */
export type WornRow = BrandRow & { brand_domain: string | null }

export function wornOf(row: WornRow, now: Date): Worn {
  const { brand_domain } = row
  const hasAddress = hasWhiteLabel(wearersPlan(row, now))
  return {
    brand: brandOf(row, now),
    address: brand_domain && hasAddress ? addressOf(brand_domain) : undefined,
  }
}

/** The plan that the account has now; free while it is blocked. */
function wearersPlan(row: BrandRow, now: Date): PlanId {
  const { brand_lent_until: until, brand_term_plan: term_plan } = row
  const isOver = until !== null && Date.parse(until) <= now.getTime()
  const lasting = isOver ? row.brand_plan_after : row.brand_plan
  const isActive = isOver ? row.brand_is_active_after : row.brand_is_active
  if (lasting === null || !isActive) return 'free'
  const term_ends_at = row.brand_term_ends_at
  return planNow({ subscription_plan: lasting, term_plan, term_ends_at }, now)
}

/** What the names of downloaded files and the notes of payments begin with. */
export function prefixOf(brand: Pick<Brand, 'isAlone'> | undefined): string {
  return brand?.isAlone ? 'QR' : PRODUCT
}

/** A text of the product with the name that stands for it. */
export function inName(text: string, name: string | null | undefined): string {
  // By a function: a name may have signs that a replacement has a meaning for, as `$&`.
  return name ? text.replaceAll(PRODUCT, () => name) : text
}
