import { type Expression, type ExpressionBuilder, OperatorNode, type SqlBool, sql } from 'kysely'
import { seenBy, type Viewer } from '#db/codes/seen-by.ts'
import type { QrCode, Tables } from '#db/schema.ts'
import { hasUnmarked } from '#db/text-search.ts'
import { homeCountry } from '#domain/accounts/country.ts'
import { callingCode } from '#domain/accounts/phone-library.ts'
import { parseQrId } from '#domain/codes/qr-id.ts'
import { has } from '#domain/people/roles.ts'
import { sharesFor, type Whose } from '#domain/people/share.ts'
import { withoutMarks } from '#domain/text.ts'

type Builder = ExpressionBuilder<Tables, 'qr_codes'>

const PUBLIC_TEXTS = [
  'owner_name',
  'email',
  'emergency_contact_name',
  'blood_group',
  'public_message',
] as const
const CITY_TEXTS = ['city_area'] as const
const VEHICLE_TEXTS = ['vehicle_make_model', 'company_fleet_name'] as const

const PRIVATE_TEXTS = [
  'driving_license_number',
  'insurance_policy_number',
  'notes_instructions',
] as const

/** People type these with and without spaces and hyphens. */
const NUMBERS = ['contact_phone', 'emergency_contact_phone'] as const

/** Which codes of an account a list shows; null and undefined leave all of them in. */
export type QrFilter = {
  search?: string | null
  company_fleet_name?: string | null
  /** those that were made at this instant, as by an import */
  created_at?: string | null
  /** without a share, or by a share: `seenBy` decides */
  shared?: Whose | null | undefined
}

/** Codes that a claimer holds are of no company: `listCompanies` does not count them either. */
export function isFound(viewer: Viewer, { search, company_fleet_name, created_at }: QrFilter) {
  return (eb: Builder): Expression<SqlBool> =>
    eb.and([
      ...(search ? [matchesSearch(eb, viewer, search)] : []),
      ...(company_fleet_name
        ? [eb('company_fleet_name', '=', company_fleet_name), eb('claimed_at', 'is', null)]
        : []),
      ...(created_at ? [eb('created_at', '=', created_at)] : []),
    ])
}

/**
 * Returns whether a field that the account sees contains a text, in any letter case and with any marks. Ids, plates and phone
 * numbers are found in any spacing, and a code by the whole of an id that it had before. For a held
 * code, the issuer's search only covers what the issuer sees.
 */
export function matchesSearch(eb: Builder, viewer: Viewer, search: string): Expression<SqlBool> {
  const inTexts = (names: readonly (keyof QrCode)[]) =>
    names.map((name) => containsText(eb.ref(name), search))
  return eb.or([
    ...inTexts(PUBLIC_TEXTS),
    eb.and([
      eb('claimed_at', 'is', null),
      ...seesPrivate(eb, viewer),
      eb.or(inTexts(PRIVATE_TEXTS)),
    ]),
    eb.and([isSeen(eb, 'show_city'), eb.or(inTexts(CITY_TEXTS))]),
    eb.and([isSeen(eb, 'show_vehicle'), eb.or(inTexts(VEHICLE_TEXTS))]),
    eb.and([
      isSeen(eb, 'show_vehicle'),
      eb.or(containsTyped(eb.ref('vehicle_registration'), search)),
    ]),
    ...spacedAnyhow(eb, search, NUMBERS),
    ...hadId(eb, parseQrId(search)),
  ])
}

/** Restricts a search of the private fields to the codes that the account may edit, if there are others. */
function seesPrivate(eb: Builder, viewer: Viewer): Expression<SqlBool>[] {
  const { shares = [] } = viewer
  if (shares.every(({ role }) => has(role, 'edit'))) return []
  return [seenBy({ ...viewer, shares: sharesFor(viewer, 'edit') })(eb)]
}

function hadId(eb: Builder, qrId: string | undefined): Expression<SqlBool>[] {
  if (!qrId) return []
  const had = eb.selectFrom('replaced_ids').select('code_id').where('replaced_ids.qr_id', '=', qrId)
  return [eb('qr_codes.id', 'in', had)]
}

function isSeen(eb: Builder, shown: 'show_city' | 'show_vehicle') {
  return eb.or([eb('claimed_at', 'is', null), eb(shown, '=', 1)])
}

/** Returns the condition like `matchesSearch`, for the fields that an admin sees. */
export function matchesListed(eb: Builder, search: string): Expression<SqlBool> {
  return eb.or([
    containsText(eb.ref('owner_name'), search),
    ...containsTyped(eb.ref('vehicle_registration'), search),
    ...spacedAnyhow(eb, search, ['contact_phone']),
  ])
}

/**
 * Returns the texts to look up in the index of codes, which finds all rows that `matchesListed` may match.
 */
export function listedTexts(search: string): string[] {
  const dense = withoutGaps(search)
  const numbers = dense ? [parseQrId(search) ?? dense, dense, withoutPrefix(dense)] : []
  return [...new Set([...spellings(search), ...numbers])]
}

/** Returns whether an id or a plate has a text in it, however that is spaced. */
export function containsTyped(column: Expression<unknown>, text: string): Expression<SqlBool>[] {
  const dense = withoutGaps(text)
  return dense ? [contains(column, parseQrId(text) ?? dense)] : []
}

function spacedAnyhow(eb: Builder, search: string, numbers: readonly (keyof QrCode)[]) {
  const dense = withoutGaps(search)
  if (!dense) return []
  return [
    ...containsTyped(eb.ref('qr_id'), search),
    ...numbers.map((name) => contains(gapless(eb.ref(name)), withoutPrefix(dense))),
  ]
}

/** Returns whether a column contains a text, in any letter case and with any marks on Latin letters. */
export function containsText(column: Expression<unknown>, text: string): Expression<SqlBool> {
  const each = spellings(text).map((spelling) => contains(column, spelling))
  return sql<SqlBool>`(${sql.join([...each, ...containsUnmarked(column, text)], sql` or `)})`
}

/** The same in letters that may have marks in the column. Most texts have none, and taking them off takes time. */
function containsUnmarked(column: Expression<unknown>, text: string): Expression<SqlBool>[] {
  const plain = withoutMarks(text).toLowerCase()
  if (!/[a-z]/.test(plain)) return []
  return [
    sql<SqlBool>`(octet_length(${column}) > length(${column}) and ${hasUnmarked(column, plain)})`,
  ]
}

/**
 * Returns a text without marks, as typed and in other letter cases, because `ilike` only knows those of a to z.
 */
export function spellings(typed: string): string[] {
  const text = withoutMarks(typed)
  const lower = text.toLowerCase()
  const asName = lower.replace(/(?<![\p{L}\p{M}])\p{L}/gu, (first) => first.toUpperCase())
  return [...new Set([text, lower, text.toUpperCase(), asName].map(foldLatin))]
}

function foldLatin(text: string): string {
  return text.replace(/[A-Z]/g, (c) => c.toLowerCase())
}

/** Each engine compiles this to its own operator. */
const ILIKE = { expressionType: undefined, toOperationNode: () => OperatorNode.create('ilike') }

/** Begins with the same twice, such as `aa` or `abab`. */
const REPEATS_ITSELF = /^(.+?)\1/su

/**
 * A text that begins with a repetition can begin at every place of a long one, and both engines would compare it
 * there sign by sign: notes full of one letter would take a search seconds. So it is taken out of the column instead,
 * which is a few times slower for others.
 */
function contains(column: Expression<unknown>, text: string): Expression<SqlBool> {
  const folded = foldLatin(text)
  if (REPEATS_ITSELF.test(folded)) {
    const whole = sql<string>`lower(${column})`
    return sql<SqlBool>`replace(${whole}, ${folded}, '') <> ${whole}`
  }
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`${column} ${ILIKE} ${pattern} escape '\\'`
}

function withoutGaps(text: string): string {
  return text.replace(/[\s\p{Pd}.()]/gu, '')
}

/** A number that is shown as `+91 98765 43210` may be stored as typed, without the prefix. */
function withoutPrefix(dense: string): string {
  const prefix = /^\+\d/.test(dense) ? `+${callingCode(homeCountry())}` : '0'
  const rest = dense.startsWith(prefix) ? dense.slice(prefix.length) : ''
  return /^\d/.test(rest) ? rest : dense
}

function gapless(column: Expression<unknown>): Expression<string> {
  return sql`replace(replace(replace(replace(${column}, ' ', ''), '-', ''), '(', ''), ')', '')`
}

/** Codes that come after this one in a list with the newest first. */
export function isBehind({ created_at, id }: Pick<QrCode, 'created_at' | 'id'>) {
  return ({ eb, refTuple, tuple }: Builder) =>
    eb(refTuple('created_at', 'id'), '<', tuple(created_at, id))
}
