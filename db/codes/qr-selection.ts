import type { ExpressionBuilder } from 'kysely'
import type { Db } from '#db/client.ts'
import { seenBy, type Viewer } from '#db/codes/qr-codes.ts'
import { matchesSearch } from '#db/codes/qr-search.ts'
import type { QrCode, Tables } from '#db/schema.ts'
import { isHeldByClaimer } from '#domain/codes/claim.ts'
import { LABELS_MAX } from '#domain/codes/labels.ts'
import { qrNotFound } from '#domain/codes/qr-id.ts'
import { DomainError } from '#domain/error.ts'

/** Codes by their well-formed ids, by a search, or all. */
export type QrSelection = { ids?: string[]; search?: string | null }

const LISTED = [
  'qr_id',
  'qr_type',
  'owner_name',
  'vehicle_registration',
  'is_active',
  'is_claimed',
  'created_at',
] as const

/** The fields of a code in a printed list. */
export type SelectedCode = Pick<QrCode, (typeof LISTED)[number]>

/**
 * The account's codes, in the order of the ids, else newest first. Throws not_found when one of
 * them is missing or not theirs, or when there is none, and invalid for more than 10,000.
 */
export async function selectOwnCodes(
  db: Db,
  viewer: Viewer,
  { ids, search }: QrSelection,
): Promise<SelectedCode[]> {
  const isSelected = (eb: ExpressionBuilder<Tables, 'qr_codes'>) =>
    eb.and([
      seenBy(viewer)(eb),
      ...(ids ? [eb('qr_id', 'in', ids)] : []),
      ...(search ? [matchesSearch(eb, search)] : []),
    ])
  const codes = await db
    .selectFrom('qr_codes')
    .select([...LISTED, 'claimed_at'])
    .where(isSelected)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LABELS_MAX + 1)
    .execute()
  if (codes.length === 0) throw qrNotFound()
  if (codes.length > LABELS_MAX) {
    throw new DomainError('invalid', 'At most 10,000 QR codes go into one file. Search for fewer.')
  }
  const selected = codes.map(toSelected)
  return ids ? inOrder(selected, ids) : selected
}

/** An issuer must not print what a claimer wrote. */
function toSelected({ claimed_at, ...code }: SelectedCode & Pick<QrCode, 'claimed_at'>) {
  if (!isHeldByClaimer({ claimed_at })) return code
  return { ...code, owner_name: null, vehicle_registration: null }
}

function inOrder(codes: SelectedCode[], ids: string[]): SelectedCode[] {
  const byId = new Map(codes.map((code) => [code.qr_id, code]))
  return ids.map((id) => {
    const code = byId.get(id)
    if (!code) throw qrNotFound()
    return code
  })
}
