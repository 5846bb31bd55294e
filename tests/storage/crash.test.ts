// @module-tag slow
import { expect, test } from 'vitest'
import { openFileStore } from '#storage/files.ts'
import { type Death, dieAtEachStep, openFolder, run } from '#tests/support/crash-steps.ts'
import { testOnSqlite } from '#tests/support/database.ts'
import { filesOn } from '#tests/support/storage.ts'

async function stepsOfEachDeath(act: 'upload' | 'delete' | 'photo'): Promise<string[]> {
  return stepsOf(await dieAtEachStep(act))
}

function stepsOf(deaths: Death[]): string[] {
  for (const { step, rows, missing, incoming, stored } of deaths) {
    expect({ step, missing, incoming, stored }).toEqual({
      step,
      missing: [],
      incoming: [],
      stored: rows,
    })
  }
  return deaths.map(({ step }) => step)
}

test('an upload that is killed at any step leaves a file with its row, or neither', async () => {
  const steps = await stepsOfEachDeath('upload')
  expect(steps).toEqual(['open', 'write', 'sync', 'rename', 'sync', 'commit', 'rm', 'survived'])
})

test('a deletion that is killed at any step leaves a file with its row, or neither', async () => {
  expect(await stepsOfEachDeath('delete')).toEqual(['commit', 'rm', 'rm', 'survived'])
})

// The database has one step among these, as in the others.
testOnSqlite(
  'a message with a photo that is killed at any step leaves its files with its row, or neither',
  async () => {
    const steps = await stepsOfEachDeath('photo')
    const kept = ['sync', 'sync', 'rename', 'rename', 'sync']
    // The two temporary names are removed again, although they were renamed.
    expect(steps).toEqual(['open', 'write', ...kept, 'rm', 'rm', 'commit', 'rm', 'survived'])
  },
)

test('a transfer that is killed at any step is done with all that belongs to it, or not at all', async () => {
  const deaths = await dieAtEachStep('transfer')
  expect(stepsOf(deaths)).toEqual(['commit', 'rm', 'rm', 'survived'])
  // Documents, transfers, scans, acts in the audit log, and the mail to the new owner.
  const before = { owner_name: 'Ramesh Kulkarni', earlier_scans: 0, counts: [1, 1, 1, 0, 0] }
  const after = { owner_name: 'Meenakshi Pillai', earlier_scans: 1, counts: [0, 0, 0, 1, 1] }
  const found = deaths.map(({ owned: [code], counts }) => ({ ...code, counts }))
  expect(found).toEqual([before, after, after, after])
})

test('an import that is killed at any step makes all its codes, or none', async () => {
  const deaths = await dieAtEachStep('import')
  expect(stepsOf(deaths)).toEqual(['commit', 'survived'])
  // One code is there before.
  expect(deaths.map(({ owned }) => owned.length)).toEqual([1, 61])
})

test('without the sweep a killed upload does leave a file', async () => {
  const folder = await openFolder()
  expect(await run(folder, 'upload', 6)).toBe('commit')
  const { stored } = filesOn('folder', folder.dataDir)
  expect(stored).toHaveLength(1)
  const soon = new Date()
  const files = openFileStore(folder.dataDir)
  expect(await files.sweep(async () => [], soon)).toMatchObject({ orphans: [] })
  expect(filesOn('folder', folder.dataDir).stored).toEqual(stored)
  await folder.remove()
})
