// @module-tag slow
import { cpSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '#db/sqlite/database.ts'
import { backUp, contentsOf, openFolder, restore, temporaryFolder } from '#tests/backup/support.ts'
import { runMortal } from '#tests/support/mortal.ts'

const AT_ONCE = 3

function restoreAndDie(file: string, dataDir: string, dieBefore: number): Promise<string> {
  return runMortal('restorer', [file, dataDir, String(dieBefore)])
}

async function openBoth() {
  const source = await openFolder({ name: 'Asha', documents: 1 })
  const { file } = await backUp(source.dataDir)
  await source.close()
  const victim = await openFolder({ name: 'Ravi', documents: 2 })
  await victim.close()
  const [old, restored] = [await contentsOf(victim.dataDir), await contentsOf(source.dataDir)]
  return { file, victim: victim.dataDir, old, restored }
}

test('a restore that is killed at any step leaves either the old data or the new, complete', async () => {
  const { file, victim, old, restored } = await openBoth()
  const died: string[] = []
  const outcomes: ('old' | 'new')[] = []
  for (let isOver = false; !isOver; ) {
    const batch = Array.from({ length: AT_ONCE }, async (_, n) => {
      const dataDir = join(temporaryFolder(), 'data')
      cpSync(victim, dataDir, { recursive: true })
      const step = await restoreAndDie(file, dataDir, died.length + n + 1)
      // The state that the next start finds stays.
      const found = await contentsOf(dataDir)
      expect(existsSync(join(dataDir, 'restore'))).toBe(false)
      const aside = readdirSync(dataDir).find((name) => name.startsWith('replaced-'))
      if (aside) expect(await contentsOf(join(dataDir, aside))).toEqual(old)
      return { step, found, aside }
    })
    for (const { step, found, aside } of await Promise.all(batch)) {
      const isNew = found.codes?.[0]?.owner_name === 'Asha'
      expect(found).toEqual(isNew ? restored : old)
      expect(Boolean(aside)).toBe(isNew)
      outcomes.push(isNew ? 'new' : 'old')
      if (step === 'survived') isOver = true
      else died.push(step)
    }
  }
  expect(died.filter((step) => step === 'renameSync')).toHaveLength(9)
  const first = outcomes.indexOf('new')
  expect(first).toBeGreaterThan(2)
  expect(new Set(outcomes.slice(first))).toEqual(new Set(['new']))
})

test('without the repair by the next start a killed restore does leave half of the data', async () => {
  const { file, victim } = await openBoth()
  const halves: string[][] = []
  for (let step = 8; halves.length === 0 && step < 20; step++) {
    const dataDir = join(temporaryFolder(), 'data')
    cpSync(victim, dataDir, { recursive: true })
    await restoreAndDie(file, dataDir, step)
    if (!existsSync(join(dataDir, 'driveqr.db'))) halves.push(readdirSync(dataDir))
  }
  expect(halves).toEqual([expect.arrayContaining(['restore', 'secret.key'])])
})

test('a killed restore does not prevent the next one', async () => {
  const { file, victim, restored } = await openBoth()
  await restoreAndDie(file, victim, 2)
  await restore(file, victim, true)
  expect(await contentsOf(victim)).toEqual(restored)
  const { close } = await openDatabase(victim)
  await close()
})
