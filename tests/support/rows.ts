import type { Db } from '#db/client.ts'
import type { Account, QrCode } from '#db/schema.ts'

/** Changes the row of an account. */
export async function setAccount(db: Db, id: string, fields: Partial<Account>): Promise<void> {
  await db.updateTable('accounts').set(fields).where('id', '=', id).execute()
}

/** Changes the row of a code. */
export async function setCode(
  db: Db,
  code: { id: string } | { qr_id: string },
  fields: Partial<QrCode>,
): Promise<void> {
  const [column, value] = 'id' in code ? ['id' as const, code.id] : ['qr_id' as const, code.qr_id]
  await db.updateTable('qr_codes').set(fields).where(column, '=', value).execute()
}
