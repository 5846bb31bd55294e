import { expect, test } from 'vitest'
import { DomainError } from '#domain/error.ts'
import { createFairQueue } from '#domain/fair-queue.ts'

/** A queue whose work ends when the test says so; `begun` names the work in its order. */
function openQueue({ concurrency = 1, maxWaiting = 1000, maxWaitMs = 60_000 } = {}) {
  const queue = createFairQueue({
    concurrency,
    maxWaiting,
    maxWaitMs,
    refusal: 'unavailable.pictures',
  })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const add = (name: string, ...keys: string[]) => {
    const work = () => {
      begun.push(name)
      return new Promise<string>((resolve) => ends.push(() => resolve(name)))
    }
    return queue.inTurn(keys, work).catch((error: DomainError) => error)
  }
  const end = async () => {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  const endAll = async () => {
    while (ends.length > 0) await end()
  }
  return { ...queue, add, end, endAll, begun }
}

test('runs no more checks at once than its limit', async () => {
  const { add, size, begun, end, endAll } = openQueue({ concurrency: 2 })
  const all = ['a', 'b', 'c', 'd'].map((name) => add(name, name))
  expect([begun, size()]).toEqual([['a', 'b'], 2])
  await end()
  expect([begun, size()]).toEqual([['a', 'b', 'c'], 1])
  await endAll()
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
})

test('work that fails passes its turn on', async () => {
  const { inTurn } = createFairQueue({
    concurrency: 1,
    maxWaiting: 10,
    maxWaitMs: 60_000,
    refusal: 'unavailable.pictures',
  })
  const failing = inTurn(['a'], () => Promise.reject(new Error('no')))
  const next = inTurn(['b'], async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})

test('forty of one account take one place in the round', async () => {
  const { add, begun, endAll } = openQueue()
  for (let n = 0; n < 40; n++) add('crowd', 'account a', `network ${n}`)
  for (const name of ['b', 'c', 'd']) add(name, `account ${name}`, `network ${name}`)
  await endAll()
  expect(begun.slice(0, 4)).toEqual(['crowd', 'b', 'c', 'd'])
  expect(begun).toHaveLength(43)
})

test('forty accounts of one network take one place in the round', async () => {
  const { add, begun, endAll } = openQueue()
  for (let n = 0; n < 40; n++) add('crowd', `account ${n}`, 'network a')
  for (const name of ['b', 'c', 'd']) add(name, `account ${name}`, `network ${name}`)
  await endAll()
  expect(begun.slice(0, 4)).toEqual(['crowd', 'b', 'c', 'd'])
})

test('behind a crowd of the same network one waits for one check of each of its accounts', async () => {
  const { add, begun, endAll } = openQueue()
  for (let n = 0; n < 40; n++) add('crowd', 'account a', 'network a')
  add('neighbour', 'account b', 'network a')
  await endAll()
  expect(begun.slice(0, 2)).toEqual(['crowd', 'neighbour'])
})

test('a check that waits too long is refused, to be tried again within five seconds', async () => {
  const { add, size, endAll, begun } = openQueue({ maxWaitMs: 20 })
  const first = add('first')
  // Enough refusals to show every time that may be answered.
  const refused = await Promise.all(Array.from({ length: 60 }, () => add('second')))
  for (const each of refused) {
    expect(each).toMatchObject({ code: 'unavailable.pictures' })
    expect([1, 2, 3, 4, 5]).toContain((each as DomainError).retryAfter)
  }
  expect(size()).toBe(0)
  await endAll()
  expect(await first).toBe('first')
  expect(begun).toEqual(['first'])
})

test('a full queue refuses the one that would be last', async () => {
  const { add, size, endAll } = openQueue({ maxWaiting: 10 })
  const crowd = Array.from({ length: 11 }, () => add('crowd', 'account a', 'network a'))
  const other = add('other', 'account b', 'network b')
  expect(size()).toBe(10)
  await endAll()
  expect(await other).toBe('other')
  const refused = (await Promise.all(crowd)).filter((each) => each instanceof DomainError)
  expect(refused).toHaveLength(1)
})

test('a hundred people at once all have their turn', async () => {
  const { add, endAll, begun } = openQueue({ concurrency: 2 })
  const people = Array.from({ length: 100 }, (_, n) =>
    add(`person ${n}`, `account ${n}`, 'network'),
  )
  await endAll()
  expect(await Promise.all(people)).toEqual(begun)
})

test('counts are forgotten when nobody waits', async () => {
  const { add, begun, endAll } = openQueue()
  for (let n = 0; n < 5; n++) add('a', 'account a')
  await endAll()
  add('first', 'account c')
  add('a again', 'account a')
  add('b', 'account b')
  await endAll()
  expect(begun.slice(-3)).toEqual(['first', 'a again', 'b'])
})
