import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, readFileSync, rmSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { copyData, register, startUnlimited } from './sample.ts'
import { onClientCore } from './support/load.ts'
import { type Running, SERVER_CORE, watchMemory } from './support/processes.ts'
import { median, type Row, timed, toRatio, toRow } from './support/report.ts'

/** The first exports are slower until their code is compiled. */
const WARM_UP = 5
const ROUNDS = 5
const DISK_RESTS_MS = 400

/** The query of an export, for the sqlite3 shell. */
const SELECT = `select c.qr_id, c.qr_type, c.owner_name, c.contact_phone, c.email, c.city_area,
  c.emergency_contact_name, c.emergency_contact_phone, c.blood_group, c.vehicle_registration,
  c.vehicle_make_model, c.company_fleet_name, c.public_message, c.is_active, c.is_claimed,
  c.is_child_registered, a.name, a.email, a.mobile, c.updated_at, c.created_at
  from qr_codes c join accounts a on a.id = c.owner_id order by c.created_at, c.id`

/** All codes of an installation through HTTP into a file, beside the sqlite3 shell. */
export async function benchCsv(seeded: string, work: string): Promise<Row[]> {
  const folder = copyData(seeded, work, 'csv')
  const delayFile = join(work, 'loop-delay')
  const server = await startUnlimited(folder, '/healthz', {
    NODE_OPTIONS: `--import=${resolve('lab/bench/targets/loop-delay.mjs')}`,
    LOOP_DELAY_FILE: delayFile,
  })
  try {
    const { ask, token } = await register(server)
    await ask('POST', '/admin/grant-super-admin')
    return await onClientCore(async () => {
      const exportCsv = async () => {
        const asked = get(`${server.url}/api/admin/qr-codes/export/csv`, {
          headers: { Authorization: `Bearer ${token}` },
        })
        const [answer] = (await once(asked, 'response')) as [IncomingMessage]
        if (answer.statusCode !== 200) throw new Error(`The export answered ${answer.statusCode}`)
        await pipeline(answer, createWriteStream(join(work, 'export.csv')))
      }
      const shell = join(work, 'shell.csv')
      const commands = ['.mode csv', '.headers on', `.once ${shell}`, SELECT]
      const exportByShell = async () => {
        const args = ['sqlite3', '-readonly', join(folder, 'driveqr.db'), ...commands]
        execFileSync('taskset', ['-c', SERVER_CORE, ...args])
      }
      return measureExports({ server, exportCsv, exportByShell, delayFile })
    })
  } finally {
    await server.stop()
  }
}

type Exports = {
  server: Running
  exportCsv: () => Promise<void>
  exportByShell: () => Promise<void>
  delayFile: string
}

async function measureExports({ server, exportCsv, exportByShell, delayFile }: Exports) {
  const [ours, theirs, pauses]: [number[], number[], number[]] = [[], [], []]
  const memory = watchMemory(server.process)
  for (let round = 0; round < WARM_UP; round++) await exportCsv()
  for (let round = 0; round < ROUNDS; round++) {
    // The export is recorded first, and pending writes of earlier files would delay it.
    await sleep(DISK_RESTS_MS)
    await readDelay(server, delayFile)
    ours.push(await timed(exportCsv))
    pauses.push(await readDelay(server, delayFile))
    theirs.push(await timed(exportByShell))
  }
  const { idleMb, peakMb } = memory.stop()
  return [
    toRatio('CSV of 100,000 codes through HTTP ÷ sqlite3 .mode csv', median(ours), median(theirs), {
      atMost: 1.5,
    }),
    toRow('CSV of 100,000 codes: memory above idle', peakMb - idleMb, 'MB', { atMost: 60 }),
    toRow('CSV of 100,000 codes: longest pause of the loop', median(pauses), 'ms', { atMost: 15 }),
  ]
}

/** Returns the longest pause of the server's event loop since the last call, in milliseconds. */
async function readDelay(server: Running, file: string): Promise<number> {
  rmSync(file, { force: true })
  server.process.kill('SIGUSR2')
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await sleep(5)
  return Number(readFileSync(file, 'utf8'))
}
