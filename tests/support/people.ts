import { secondsAfter } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import type { Tables } from '#db/schema.ts'
import { hashToken, randomId, randomToken } from '#db/secrets.ts'

/** Inserts a share of all codes with a manager, or of the given scope and role. */
export async function insertShare(
  db: DbOrTrx,
  { owner_id, person_id }: { owner_id: string; person_id: string | null },
  fields: Partial<Tables['shares']> = {},
): Promise<Tables['shares']> {
  const share = {
    id: randomId(),
    owner_id,
    person_id,
    role: 'manager' as const,
    company_fleet_name: null,
    code_id: null,
    created_at: '2026-11-20T10:00:00.000Z',
    email: null,
    token_hash: null,
    was_mailed: null,
    expires_at: null,
    ...fields,
  }
  await db.insertInto('shares').values(share).execute()
  return share
}

/** Inserts an open invitation to all codes as a manager, or to the given scope and role. */
export async function insertInvitation(
  db: DbOrTrx,
  owner_id: string,
  email: string,
  now: Date,
  fields: Partial<Tables['shares']> = {},
): Promise<Tables['shares'] & { token: string }> {
  const token = randomToken()
  const expires_at = secondsAfter(now, 60).toISOString()
  const link = { email, token_hash: hashToken(token), was_mailed: 1 as const, expires_at }
  const row = await insertShare(db, { owner_id, person_id: null }, { ...link, ...fields })
  return { ...row, token }
}
