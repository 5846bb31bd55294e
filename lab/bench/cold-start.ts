import { copyDatabase, readPaths, startDriveQr } from './scan-page.ts'
import { startServer } from './support/processes.ts'
import { median, type Row } from './support/report.ts'

const STARTS = 4

/** From the start of the process to its first scan page, compared with a minimal process. */
export async function benchColdStart(seeded: string, work: string): Promise<Row[]> {
  const path = readPaths(seeded)[0] ?? ''
  const database = copyDatabase(seeded, work, 'cold')
  const ours: number[] = []
  const bare: number[] = []
  for (let i = 0; i <= STARTS; i++) {
    const driveqr = await startDriveQr(database, path)
    await driveqr.stop()
    const limit = await startServer(['lab/bench/targets/bare.mjs'], path, { DATABASE: database })
    await limit.stop()
    if (i === 0) continue
    ours.push(driveqr.firstAnswerMs)
    bare.push(limit.firstAnswerMs)
  }
  return [
    {
      what: 'Cold start to the first scan page ÷ bare Hono + better-sqlite3',
      measured: `${median(ours).toFixed(0)} ms`,
      limit: `${median(bare).toFixed(0)} ms`,
      ratio: median(ours) / median(bare),
      budget: { atMost: 1.3 },
    },
  ]
}
