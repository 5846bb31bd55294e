import { setImmediate as nextTurn } from 'node:timers/promises'

/** Rows of a page: reading and writing out so many takes a few milliseconds of the one thread. */
export const PAGE_ROWS = 500

/**
 * All rows there are, a page at a time, each read from behind the last row of the one before;
 * requests get their turn in between.
 */
export async function* inPages<T>(
  read: (last: T | undefined) => Promise<T[]>,
): AsyncGenerator<T[], void> {
  let last: T | undefined
  for (;;) {
    const rows = await read(last)
    if (rows.length === 0) return
    yield rows
    last = rows.at(-1)
    await nextTurn()
  }
}
