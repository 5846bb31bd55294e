import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { applied, programs } from '#lab/drills/_guards.ts'

const FOLDER = new URL('../../lab/drills/', import.meta.url)

test('Every control of the drills finds what it leaves out', async () => {
  const files = readdirSync(FOLDER).filter((file) => !file.startsWith('_') && file !== 'run.ts')
  for (const file of files) await import(new URL(file, FOLDER).href)
  expect(programs.size).toBeGreaterThan(10)
  for (const [name, changes] of programs) expect(() => applied(changes), name).not.toThrow()
})
