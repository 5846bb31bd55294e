import { count, type Drill, type Outcome } from '#tests/drills/_drill.ts'
import { dieAtEachStep } from '#tests/support/crash-steps.ts'

export const crashSteps: Drill = {
  name: 'crash-steps',
  promise: 'A file and its row are there together or not at all, at whatever step a crash comes',
  trial: () => dieEverywhere(true),
  control: { without: 'the sweep after a start', trial: () => dieEverywhere(false) },
}

async function dieEverywhere(sweeps: boolean): Promise<Outcome> {
  const found = [
    ...(await dieAtEachStep('upload', { sweeps })),
    ...(await dieAtEachStep('delete', { sweeps })),
  ].filter(({ step }) => step !== 'survived')
  const dangling = found.filter(({ missing }) => missing.length > 0)
  const stray = found.filter(
    ({ incoming, stored, rows }) => incoming.length > 0 || String(stored) !== String(rows),
  )
  const figure = `${count(found.length, 'death')}: ${dangling.length} with a row without its file, ${stray.length} with a stray file`
  return { figure, isKept: dangling.length + stray.length === 0 && found.length > 0 }
}
