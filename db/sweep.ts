import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import type { Tables } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import type { ContactMode } from '#domain/codes/visibility.ts'

export type Sweeping = {
  now: Date
  /** of codes that the sweep makes unregistered again */
  contactMode: ContactMode
  timezone: string
  /** for how many days the operator keeps these; 0: forever */
  retention: { scans: number; views: number; audit: number }
  /** ends a long sweep after its current transaction */
  signal?: AbortSignal | undefined
}
/** Deletes old rows, and returns the names of stored files that no longer have a row. */
export type Sweep = (db: Db, sweeping: Sweeping) => Promise<string[]> | Promise<void>

type InstantOf<T extends keyof Tables> = keyof Tables[T] & `${string}_at`

/** Deletes the rows of a table whose instant was some seconds ago. */
export function deleteAfter<T extends keyof Tables>(
  table: T,
  column: InstantOf<T>,
  seconds = 0,
): Sweep {
  return async (db, { now }) => {
    const before = toInstant(secondsAfter(now, -seconds))
    await inTransaction(db, (trx) =>
      trx
        .deleteFrom(table as 'calendars')
        .where(column as 'created_at', '<=', before)
        .execute(),
    )
  }
}
