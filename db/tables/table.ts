import type { SelectQueryBuilder } from 'kysely'
import type { DbOrTrx, Trx } from '#db/client.ts'
import type { Making } from '#db/codes/qr-creation.ts'
import type { EndingCode } from '#db/deletions/deletions.ts'
import type { Notify } from '#db/outbox.ts'
import type { Account, Tables } from '#db/schema.ts'
import type { Sweep } from '#db/sweep.ts'

/** The account of an export; conversations from before `closed` are closed to it: `closedUntil`. */
export type Subject = Pick<Account, 'id' | 'email' | 'email_verified_at'> & { closed: string }

/** Returns the address by which rows belong to an account; '' for one that was only typed. */
export function provenEmail({ email, email_verified_at }: Omit<Subject, 'id' | 'closed'>): string {
  return (email_verified_at && email) || ''
}

export type Row = Record<string, unknown>
export type Query = SelectQueryBuilder<Tables, never, object>
/** One JSON file of an export. Its rows have a unique order, so that they can be read in pages. */
export type Kind = {
  file: string
  rows: (db: DbOrTrx, who: Subject) => Query | AsyncIterable<Row[]>
  /** the folder of the files that rows name in `stored_name`, under their original names */
  folder?: string
}

export type Removing = Making & { account: Account; notify: Notify<EndingCode> }
/** The number of rows that a step has changed, and the stored files that no longer have a row. */
export type Done = { count: number; stored_names?: string[] }
/** A part of the removal of an account. It is repeated, a transaction each time, until it changes nothing. */
export type Step = (trx: Trx, removing: Removing) => Promise<Done>

/** The rules for the rows of one table. A text gives the reason for a missing function. */
export type Table = {
  exported: Kind | readonly Kind[] | string
  removed: Step | string
  kept: Sweep | string
}

/** Reasons for no export, no step and no sweep. The parent of a row is its account, code or conversation. */
export const TECHNICAL = 'only data that the server needs for a short while'
export const SECRET = 'only a secret, or a fingerprint of one'
export const NO_ACCOUNT = 'is about no account'
export const WITH_PARENT = 'goes with the account, its code or its conversation'
export const AS_LONG_AS_PARENT = 'as long as the account, its code or its conversation'
export const REPLACED = 'until the next write removes the expired rows'
export const FOREVER = 'as long as the installation'

/** The entry of a table that is about no account. */
export const ABOUT_NO_ACCOUNT: Table = { exported: NO_ACCOUNT, removed: NO_ACCOUNT, kept: FOREVER }

type OwnTable = {
  [T in keyof Tables]: Tables[T] extends { account_id: string | null } ? T : never
}[keyof Tables]

/** Selects columns of the rows that belong to the account, in an order in which no two are equal. */
export function ownRows<T extends OwnTable>(
  table: T,
  columns: readonly (keyof Tables[T] & string)[],
  ...order: readonly (keyof Tables[T] & string)[]
): Kind['rows'] {
  return (db, { id }) => {
    // The types of a query on an arbitrary table do not know its columns.
    const rows = db
      .selectFrom(table as 'calendars')
      .select(columns as readonly 'created_at'[])
      .where('account_id', '=', id)
    return order.reduce((query, column) => query.orderBy(column as 'created_at'), rows) as Query
  }
}

/** Makes the entry of a table whose rows belong to the account: they are exported, and go with it. */
export function ownTable<T extends OwnTable>(
  table: T,
  file: string,
  ...columns: Parameters<typeof ownRows<T>> extends [T, ...infer Rest] ? Rest : never
) {
  return {
    exported: { file, rows: ownRows(table, ...columns) },
    removed: WITH_PARENT,
    kept: AS_LONG_AS_PARENT,
  }
}
