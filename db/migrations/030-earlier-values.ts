import type { Query } from '#db/migrations/migration.ts'

/**
 * Keeps the fields that the registration of a child changed on its code until the guardian has answered, and the
 * address that an account lost until its holder knows the login id.
 */

const INDEX =
  'create index accounts_by_lost_email on accounts (lost_email) where lost_email is not null'

export const sqlite: readonly string[] = [
  "alter table guardian_waits add column changes text not null default '{}'",
  'alter table accounts add column lost_email text',
  INDEX,
]
export const postgres: readonly string[] = sqlite.map((statement) =>
  statement
    .replace('column changes text', 'column changes text collate "C"')
    .replace('column lost_email text', 'column lost_email text collate "C"'),
)

const TEXTS = [
  'owner_name',
  'contact_phone',
  'contact_number',
  'email',
  'city_area',
  'emergency_contact_name',
  'emergency_contact_phone',
  'emergency_number',
  'public_message',
] as const
type Row = Record<(typeof TEXTS)[number], string | null> & { account_id: string }

/** Notes no earlier values for the registrations that wait, whose fields go with the child: nobody kept them. */
export async function fill(query: Query): Promise<void> {
  const rows = await query<Row>(
    `select account_id, ${TEXTS.map((column) => `qr_codes.${column}`).join(', ')}
      from guardian_waits join qr_codes on qr_codes.id = guardian_waits.code_id`,
    [],
  )
  for (const row of rows) {
    const changes = Object.fromEntries(TEXTS.map((column) => [column, [null, row[column]]]))
    const values = [JSON.stringify(changes), row.account_id]
    await query('update guardian_waits set changes = ? where account_id = ?', values)
  }
}
