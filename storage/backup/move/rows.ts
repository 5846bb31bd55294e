import { createHash } from 'node:crypto'
import type { MoveTarget, Row, RowReader } from '#db/engine.ts'

/** The number of rows of a table, and a sum of them that does not depend on their order. */
type Sum = { count: number; sum: bigint }

const SUM_BITS = 256

function sumOf(row: Row): bigint {
  const cells = Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))
  // PostgreSQL cannot store a zero character.
  const text = JSON.stringify(cells, (_, value) =>
    typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value,
  )
  return BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
}

/** Passes rows on and adds them up. */
async function* summed(rows: AsyncIterable<Row[]>, into: Sum): AsyncGenerator<Row[]> {
  for await (const some of rows) {
    for (const row of some) into.sum = BigInt.asUintN(SUM_BITS, into.sum + sumOf(row))
    into.count += some.length
    yield some
  }
}

async function add(rows: AsyncIterable<Row[]>): Promise<Sum> {
  const total: Sum = { count: 0, sum: 0n }
  for await (const _ of summed(rows, total));
  return total
}

const isSame = (a: Sum, b: Sum) => a.count === b.count && a.sum === b.sum

/**
 * Copies the rows of all tables, but not of those that an interrupted move has copied, and reads all of
 * them back. Resolves with how many there are. `advance` receives the rows that were just done.
 */
export async function moveRows(
  source: RowReader,
  target: MoveTarget,
  advance: (rows: number) => void,
): Promise<number> {
  const tables = (await source.tables()).toSorted()
  const others = (await target.tables()).toSorted()
  if (tables.join() !== others.join()) throw new Error('The databases have other tables')
  const sums = new Map<string, Sum>()
  for (const table of tables) {
    sums.set(table, await copyTable(table, source, target))
    advance(sums.get(table)?.count ?? 0)
  }
  // After all of them, because what fills one table must not change another.
  for (const [table, sum] of sums) {
    if (isSame(sum, await add(target.rows(table)))) continue
    throw new Error(`The copy of the table ${table} is not like the original: try again`)
  }
  return [...sums.values()].reduce((total, { count }) => total + count, 0)
}

async function copyTable(table: string, source: RowReader, target: MoveTarget): Promise<Sum> {
  if ((await target.count(table)) > 0) {
    const wanted = await add(source.rows(table))
    if (isSame(wanted, await add(target.rows(table)))) return wanted
  }
  const total: Sum = { count: 0, sum: 0n }
  await target.fill(table, summed(source.rows(table), total))
  return total
}
