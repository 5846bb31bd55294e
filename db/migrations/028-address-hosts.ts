import type { Query } from '#db/migrations/migration.ts'
import { normalizeEmail } from '#domain/accounts/contact.ts'

export const sqlite: readonly string[] = []
export const postgres: readonly string[] = []

/** The columns with addresses that are compared. */
const COMPARED = [
  ['accounts', 'email'],
  ['qr_codes', 'claim_email'],
  ['transfers', 'email'],
  ['new_emails', 'email'],
  ['email_ways_back', 'email'],
] as const

/**
 * Writes the domains of addresses as name servers know them. An address stays as it is while another account has it
 * in the new form.
 */
export async function fill(query: Query): Promise<void> {
  for (const [table, column] of COMPARED) {
    const rows = await query<{ address: string }>(
      `select distinct ${column} as address from ${table}
        where octet_length(${column}) > length(${column})`,
      [],
    )
    for (const { address } of rows) {
      const form = normalizeEmail(address)
      const isTaken =
        table === 'accounts' ? ' and not exists (select 1 from accounts where email = ?)' : ''
      const values = isTaken ? [form, address, form] : [form, address]
      if (form !== address) {
        await query(`update ${table} set ${column} = ? where ${column} = ?${isTaken}`, values)
      }
    }
  }
}
