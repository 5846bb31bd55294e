import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { isCollision } from '#db/errors.ts'
import type { Tables } from '#db/schema.ts'

const MOST_REPEATS = 5
const SHORTEST_WAIT_MS = 5
/** After this many collisions, a repeat runs without other transactions of this process. */
const REPEATS_AMONG_OTHERS = 2

/** Callbacks to run after a transaction's commit. */
const afterwards = new WeakMap<object, (() => void)[]>()

/** This process repeats one transaction at a time, because many at once would collide again. */
let repeating: Promise<unknown> = Promise.resolve()
/** New transactions of this process wait for this. */
let alone: Promise<void> | undefined

/**
 * Runs a closure as one write transaction: all of it is committed, or nothing when it throws. On
 * PostgreSQL the closure is repeated, at most 5 times, when concurrent writers interfered. So it
 * must not change anything outside the transaction, and secrets and ids are made before it or again
 * in each run. If it still collides, the database's error is thrown.
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
      // A random wait, or the same transactions of other servers would collide again.
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

/** Calls back after the commit of a transaction, and not if it is rolled back. */
export function afterCommit(trx: Transaction<Tables>, callback: () => void): void {
  const work = afterwards.get(trx)
  if (!work) throw new Error('There is no transaction to wait for')
  work.push(callback)
}
