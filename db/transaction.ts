import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { isCollision } from '#db/errors.ts'
import type { Tables } from '#db/schema.ts'

const MOST_REPEATS = 5
const SHORTEST_WAIT_MS = 5
/** A repeat that has collided so often meets none of this process's transactions any more. */
const REPEATS_AMONG_OTHERS = 2

/** What is to happen once a transaction is committed. */
const afterwards = new WeakMap<object, (() => void)[]>()

/** Of this process one transaction at a time is repeated: many at once would collide again. */
let repeating: Promise<unknown> = Promise.resolve()
/** What new transactions of this process wait for. */
let alone: Promise<void> | undefined

/**
 * Runs a closure as one write transaction: all of it is committed, or nothing when it throws. On
 * PostgreSQL the closure is run again from its beginning, at most 5 times, when other writers got in
 * its way, so it must change nothing outside of the transaction. Secrets and ids are made before
 * it or anew in each run. What still collides then throws the database's error.
 */
export async function inTransaction<Result>(
  db: Kysely<Tables>,
  closure: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  while (alone) await alone
  try {
    return await run(db, closure)
  } catch (error) {
    if (!isCollision(error)) throw error
  }
  const repeated = repeating.then(() => repeat(db, closure))
  repeating = repeated.catch(() => {})
  return repeated
}

async function repeat<Result>(
  db: Kysely<Tables>,
  closure: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  let letOthersIn = () => {}
  const isOver = new Promise<void>((resolve) => {
    letOthersIn = resolve
  })
  try {
    for (let n = 1; ; n++) {
      if (n > REPEATS_AMONG_OTHERS) alone = isOver
      // Apart from those of other servers, or the same transactions would meet again.
      await sleep(Math.random() * SHORTEST_WAIT_MS * n)
      try {
        return await run(db, closure)
      } catch (error) {
        if (!isCollision(error) || n === MOST_REPEATS) throw error
      }
    }
  } finally {
    alone = undefined
    letOthersIn()
  }
}

async function run<Result>(
  db: Kysely<Tables>,
  closure: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  const work: (() => void)[] = []
  const result = await db.transaction().execute((trx) => {
    afterwards.set(trx, work)
    return closure(trx)
  })
  for (const each of work) each()
  return result
}

/** Calls back once the transaction is committed, and never when it is not. */
export function afterCommit(trx: Transaction<Tables>, callback: () => void): void {
  const work = afterwards.get(trx)
  if (!work) throw new Error('There is no transaction to wait for')
  work.push(callback)
}
