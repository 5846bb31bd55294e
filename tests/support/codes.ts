import { randomBytes } from 'node:crypto'
import type { DbOrTrx } from '#db/client.ts'
import { NO_DETAILS } from '#db/codes/qr-columns.ts'
import type { QrCode } from '#db/schema.ts'
import { randomId } from '#db/secrets.ts'
import { phoneColumns } from '#domain/codes/phones.ts'
import { makeQrId } from '#domain/codes/qr-id.ts'
import { VISIBLE } from '#domain/codes/visibility.ts'

const NOTHING = {
  ...NO_DETAILS,
  claim_email: null,
  claim_lang: null,
  claimed_at: null,
  take_token_hash: null,
  claim_notice: null,
  child_account_id: null,
  pin_hash: null,
  printed_at: null,
  own_scan_at: null,
  earlier_scans: 0,
  is_ending: 0 as const,
  ...VISIBLE,
}

/** Claimed without an account, and held by the claimer until an account takes it. */
export const HELD = { claimed_at: '2026-11-19T10:00:00.000Z' } as const

/** Inserts a claimed code of this owner with only a name and a phone number. */
export async function insertCode(
  db: DbOrTrx,
  ownerId: string,
  fields: Partial<QrCode> = {},
): Promise<QrCode> {
  const contact_phone = '+919876543210'
  const code: QrCode = {
    ...NOTHING,
    ...phoneColumns({ contact_phone, ...fields }),
    id: randomId(),
    qr_id: makeQrId(randomBytes),
    qr_type: 'normal',
    owner_id: ownerId,
    created_by: ownerId,
    is_active: 1,
    is_claimed: 1,
    is_child_registered: 0,
    owner_name: 'Ramesh Kulkarni',
    contact_phone,
    created_at: '2026-11-01T09:00:00.000Z',
    updated_at: '2026-11-01T09:00:00.000Z',
    ...fields,
  }
  await db.insertInto('qr_codes').values(code).execute()
  return code
}
