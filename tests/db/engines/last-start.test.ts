import { expect, test } from 'vitest'
import { listPrintedElsewhere, noteStart } from '#db/last-start.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

const HERE = 'http://localhost:5300'
const NEW = 'https://new.example.in'
const at = (hour: number) => new Date(`2026-11-20T${hour}:00:00.000Z`)

test('a start says from which version it was upgraded, once', async () => {
  const { config } = (await openTestApp()).deps
  const start = (version: string) => noteStart(config.dataDir, { version, publicUrl: HERE }, at(10))
  expect(['1.0.0+a', '1.0.0+a', '1.0.0+b', '1.0.0+b'].map(start)).toEqual([
    undefined,
    undefined,
    '1.0.0+a',
    undefined,
  ])
})

test('codes count for the address under which they were made, until it is used again', async () => {
  const { db, deps, signUp } = await openTestApp()
  const { dataDir } = deps.config
  const { id } = await signUp()
  const start = (publicUrl: string, hour: number) =>
    noteStart(dataDir, { version: '1', publicUrl }, at(hour))
  const make = (hour: number) => insertCode(db, id, { created_at: at(hour).toISOString() })
  const elsewhere = (publicUrl: string) => listPrintedElsewhere(db, dataDir, publicUrl)
  for (const hour of [10, 11, 13]) await make(hour)
  expect(await elsewhere(NEW)).toEqual([])
  start(HERE, 11)
  start(NEW, 12)
  expect(await elsewhere(NEW)).toEqual([{ publicUrl: HERE, codes: 2 }])
  expect(await elsewhere(HERE)).toEqual([{ publicUrl: NEW, codes: 1 }])
  start(HERE, 14)
  await make(15)
  expect(await elsewhere(HERE)).toEqual([{ publicUrl: NEW, codes: 1 }])
  expect(await elsewhere('https://third.example.in')).toEqual([
    { publicUrl: HERE, codes: 3 },
    { publicUrl: NEW, codes: 1 },
  ])
})
