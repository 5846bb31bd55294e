import type { Query } from '#db/migrations/migration.ts'
import { readEarlierPhone } from '#domain/accounts/phone.ts'
import { phoneColumns } from '#domain/codes/phones.ts'

const COLUMNS = ['contact_number', 'emergency_number']
const ROWS_AT_ONCE = 1000

/** Adds the forms in which pages dial and show the numbers of a code. */
export const sqlite: readonly string[] = COLUMNS.map(
  (name) => `alter table qr_codes add column ${name} text`,
)
export const postgres: readonly string[] = sqlite.map((each) => `${each} collate "C"`)

type Row = { id: string; contact_phone: string | null; emergency_contact_phone: string | null }

/** Reads the numbers of all codes. One that is in no plan stays as it is, and `doctor` names its code. */
export async function fill(query: Query): Promise<void> {
  let last = ''
  for (;;) {
    const rows = await query<Row>(
      `select id, contact_phone, emergency_contact_phone from qr_codes
        where id > ? and coalesce(contact_phone, emergency_contact_phone) is not null
        order by id limit ${ROWS_AT_ONCE}`,
      [last],
    )
    for (const { id, ...texts } of rows) {
      const { contact_number, emergency_number } = phoneColumns(texts, readEarlierPhone)
      await query('update qr_codes set contact_number = ?, emergency_number = ? where id = ?', [
        contact_number,
        emergency_number,
        id,
      ])
      last = id
    }
    if (rows.length < ROWS_AT_ONCE) return
  }
}
