import type { DbOrTrx } from '#db/client.ts'

const MOST = 100

export type ScopeCode = {
  qr_id: string
  vehicle_registration: string | null
  vehicle_make_model: string | null
}

/**
 * Returns the companies of an owner's codes and the newest codes, at most 100 of each, to choose a scope from. The
 * code `qrId` is the first.
 */
export async function listScopes(
  db: DbOrTrx,
  ownerId: string,
  qrId: string | null,
): Promise<{ companies: string[]; codes: ScopeCode[] }> {
  const companies = await db
    .selectFrom('qr_codes')
    .select('company_fleet_name')
    .distinct()
    .where('owner_id', '=', ownerId)
    .where('company_fleet_name', 'is not', null)
    .orderBy('company_fleet_name')
    .limit(MOST)
    .$narrowType<{ company_fleet_name: string }>()
    .execute()
  const codes = await db
    .selectFrom('qr_codes')
    .select(['qr_id', 'vehicle_registration', 'vehicle_make_model'])
    .where('owner_id', '=', ownerId)
    .orderBy((eb) => eb('qr_id', '=', qrId ?? ''), 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('qr_id')
    .limit(MOST)
    .execute()
  return { companies: companies.map(({ company_fleet_name }) => company_fleet_name), codes }
}
