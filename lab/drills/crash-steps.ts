import { count, type Drill, type Outcome } from '#lab/drills/_drill.ts'
import { type Death, dieAtEachStep } from '#tests/support/crash-steps.ts'
import makeTemplate from '#tests/support/folders.ts'

export const crashSteps: Drill = {
  name: 'crash-steps',
  promise: 'After a crash at any step, a file and its row both exist or neither does',
  trial: () => dieEverywhere(true),
  without: 'removing stray files after a start',
  control: () => dieEverywhere(false),
}

const ACTS = ['upload', 'delete', 'photo', 'transfer'] as const

async function dieEverywhere(sweeps: boolean): Promise<Outcome> {
  const removeTemplate = await makeTemplate()
  const deaths: Death[] = []
  for (const act of ACTS) deaths.push(...(await dieAtEachStep(act, { sweeps })))
  await removeTemplate?.()
  const found = deaths.filter(({ step }) => step !== 'survived')
  const dangling = found.filter(({ missing }) => missing.length > 0)
  const stray = found.filter(
    ({ incoming, stored, rows }) => incoming.length > 0 || String(stored) !== String(rows),
  )
  const figure = `${count(found.length, 'death')}: ${dangling.length} with a row without its file, ${stray.length} with a stray file`
  return { figure, isKept: dangling.length + stray.length === 0 && found.length > 0 }
}
