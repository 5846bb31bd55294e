import { join } from 'node:path'
import { copyData, readPaths, startUnlimited } from './sample.ts'
import { startServer } from './support/processes.ts'
import { median, type Row, toRatio } from './support/report.ts'

const STARTS = 4

/** From the start of the process to its first scan page, compared with a minimal process. */
export async function benchColdStart(seeded: string, work: string): Promise<Row[]> {
  const [path = ''] = readPaths(seeded).plain
  const folder = copyData(seeded, work, 'cold')
  const env = { DATABASE: join(folder, 'driveqr.db') }
  const ours: number[] = []
  const bare: number[] = []
  for (let i = 0; i <= STARTS; i++) {
    const driveqr = await startUnlimited(folder, path)
    await driveqr.stop()
    const limit = await startServer(['lab/bench/targets/bare.mjs'], path, env)
    await limit.stop()
    // The first start reads the files from the disk.
    if (i === 0) continue
    ours.push(driveqr.firstAnswerMs)
    bare.push(limit.firstAnswerMs)
  }
  return [
    toRatio(
      'Cold start to the first scan page ÷ bare Hono + better-sqlite3',
      median(ours),
      median(bare),
      { atMost: 1.35 },
    ),
  ]
}
