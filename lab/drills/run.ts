/** `npm run drills [name …]`: makes the machine fail in many ways and counts the losses. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Drill, Outcome } from '#lab/drills/_drill.ts'
import { SERVER } from '#lab/drills/_guards.ts'
import { type Result, record, report } from '#lab/drills/_report.ts'
import { alerts } from '#lab/drills/alerts.ts'
import { backup } from '#lab/drills/backup.ts'
import { clock } from '#lab/drills/clock.ts'
import { clockSkew } from '#lab/drills/clock-skew.ts'
import { commandLine } from '#lab/drills/command-line.ts'
import { crashSteps } from '#lab/drills/crash-steps.ts'
import { damage } from '#lab/drills/damage.ts'
import { diskFull } from '#lab/drills/disk-full.ts'
import { escalation } from '#lab/drills/escalation.ts'
import { ioErrors } from '#lab/drills/io-errors.ts'
import { kill } from '#lab/drills/kill.ts'
import { memory } from '#lab/drills/memory.ts'
import { migration } from '#lab/drills/migration.ts'
import { postgres } from '#lab/drills/postgres.ts'
import { powerCut } from '#lab/drills/power-cut.ts'
import { promotion } from '#lab/drills/promotion.ts'
import { readOnly } from '#lab/drills/read-only.ts'
import { repeatedCall } from '#lab/drills/repeated-call.ts'
import { s3 } from '#lab/drills/s3.ts'
import { serverKill } from '#lab/drills/server-kill.ts'
import { slowConnections } from '#lab/drills/slow-connections.ts'
import { slowDisk } from '#lab/drills/slow-disk.ts'
import { slowReaders } from '#lab/drills/slow-readers.ts'
import { stop } from '#lab/drills/stop.ts'
import { storm } from '#lab/drills/storm.ts'
import { tricklingUploads } from '#lab/drills/trickling-uploads.ts'
import { upgrade } from '#lab/drills/upgrade.ts'
import { worker } from '#lab/drills/worker.ts'
import { findProgram, installPackages } from '#scripts/bootstrap/debian.mjs'

const DRILLS: Drill[] = [
  kill,
  alerts,
  powerCut,
  postgres,
  serverKill,
  promotion,
  storm,
  s3,
  upgrade,
  clockSkew,
  worker,
  escalation,
  crashSteps,
  repeatedCall,
  diskFull,
  readOnly,
  stop,
  damage,
  commandLine,
  ioErrors,
  migration,
  slowConnections,
  slowReaders,
  tricklingUploads,
  slowDisk,
  memory,
  clock,
  backup,
]

const args = process.argv.slice(2)
const names = args.filter((arg) => !arg.startsWith('--'))
const unknown = names.find((name) => !DRILLS.some((drill) => drill.name === name))
if (unknown) {
  console.error(
    `There is no drill ${unknown}. The drills are: ${DRILLS.map(({ name }) => name).join(', ')}`,
  )
  process.exit(2)
}

rmSync('dist/drills', { recursive: true, force: true })
const results: Result[] = []
for (const drill of DRILLS) {
  if (names.length > 0 && !names.includes(drill.name)) continue
  const result = await hold(drill)
  results.push(result)
  report(result)
}
if (args.includes('--record')) {
  record(
    results,
    DRILLS.map(({ name }) => name),
  )
}
process.exitCode = results.every(({ isGood }) => isGood) ? 0 : 1

/** Good when the product keeps its promise and the product without its guard breaks it. */
async function hold(drill: Drill): Promise<Result> {
  const obstacle = drill.obstacle?.() ?? findMissing(drill)
  const { name, promise, without, trial, control = trial, guardless } = drill
  if (obstacle) return { name, promise, without, skipped: obstacle, isGood: true, seconds: 0 }
  const startedAt = performance.now()
  const kept = await tryOut((work) => trial(work, SERVER))
  const controlled = await tryOut(async (work) => control(work, (await guardless?.()) ?? SERVER))
  const seconds = (performance.now() - startedAt) / 1000
  const isGood = kept.isKept && !controlled.isKept && !controlled.isBroken
  return { name, promise, without, kept, controlled, isGood, seconds }
}

async function tryOut(
  trial: (work: string) => Promise<Outcome>,
): Promise<Outcome & { isBroken?: boolean }> {
  const work = mkdtempSync(join(tmpdir(), 'driveqr-drill-'))
  try {
    return await trial(work)
  } catch (error) {
    // A drill that failed to run proves nothing, neither for the product nor for its control.
    console.error(error)
    return {
      figure: `failed to run: ${(error as Error).message}`,
      isKept: false,
      isBroken: true,
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function findMissing({ programs = {} }: Drill): string | undefined {
  const missing = () => Object.keys(programs).filter((program) => !findProgram([program]))
  if (missing().length > 0) installPackages(missing().map((program) => programs[program]))
  const left = missing()
  return left.length > 0 ? `needs ${left.join(', ')}` : undefined
}
