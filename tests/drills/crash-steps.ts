import { count, type Drill, type Outcome } from '#tests/drills/_drill.ts'
import { dieAtEachStep } from '#tests/support/crash-steps.ts'

export const crashSteps: Drill = {
  name: 'crash-steps',
  promise: 'After a crash at any step, a file and its row both exist or neither does',
  trial: () => dieEverywhere(true),
  control: { without: 'removing stray files after a start', trial: () => dieEverywhere(false) },
}

async function dieEverywhere(sweeps: boolean): Promise<Outcome> {
  const found = [
    ...(await dieAtEachStep('upload', { sweeps })),
    ...(await dieAtEachStep('delete', { sweeps })),
    ...(await dieAtEachStep('photo', { sweeps })),
    ...(await dieAtEachStep('transfer', { sweeps })),
  ].filter(({ step }) => step !== 'survived')
  const dangling = found.filter(({ missing }) => missing.length > 0)
  const stray = found.filter(
    ({ incoming, stored, rows }) => incoming.length > 0 || String(stored) !== String(rows),
  )
  const figure = `${count(found.length, 'death')}: ${dangling.length} with a row without its file, ${stray.length} with a stray file`
  return { figure, isKept: dangling.length + stray.length === 0 && found.length > 0 }
}
