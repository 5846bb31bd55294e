import { expect, test } from 'vitest'
import { rowsOf } from '#db/exports/rows.ts'
import { KINDS } from '#db/tables/registry.ts'
import type { Kind } from '#db/tables/table.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

const CODES = KINDS.find(({ file }) => file === 'codes') as Kind

test('rows that come and go while they are read cost an export no other ones', async () => {
  const { db, signUp } = await openTestApp()
  const { id, email } = await signUp()
  const codes: string[] = []
  for (let n = 0; n < 250; n++) codes.push((await insertCode(db, id)).qr_id)
  codes.sort()
  const read: unknown[] = []
  for await (const rows of rowsOf(db, CODES, { id, email, email_verified_at: null, closed: '' })) {
    read.push(...rows.map((row) => row.qr_id))
    if (read.length > 100) continue
    await db.deleteFrom('qr_codes').where('qr_id', 'in', codes.slice(0, 3)).execute()
    await insertCode(db, id, { qr_id: '000000000000' })
  }
  expect(read).toEqual(codes)
})
