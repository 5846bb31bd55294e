import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { actUntil, newLedger } from '#lab/drills/_acts.ts'
import { audit } from '#lab/drills/_audit.ts'
import { count, type Drill, type Outcome } from '#lab/drills/_drill.ts'
import { end, makeFolder, serve } from '#lab/drills/_folder.ts'
import { withoutGuard } from '#lab/drills/_guards.ts'

const COMMANDS = 10
const CODES = 400

export const commandLine: Drill = {
  name: 'command-line',
  promise: 'The command line writes while the server runs: no write of either is lost or refused',
  trial: writeBeside,
  without: '`begin immediate`',
  guardless: withoutGuard('beginning-as-reader', [
    ['db/sqlite/queries.ts', "raw('begin immediate')", "raw('begin')"],
  ]),
}

async function writeBeside(work: string, program: string): Promise<Outcome> {
  const folder = await makeFolder(work)
  const server = await serve({ dataDir: folder.dataDir, program })
  const ledger = newLedger()
  const until = new AbortController()
  const writing = actUntil({ url: server.url, folder, ledger }, until.signal)
  const env = { PATH: process.env.PATH, DATA_DIR: folder.dataDir }
  let failed = 0
  for (let i = 0; i < COMMANDS; i++) {
    const args = ['qr', 'create', '--count', String(CODES), '--owner', 'asha@example.in', '--json']
    await promisify(execFile)(process.execPath, ['dist/driveqr.js', ...args], {
      env,
      maxBuffer: 1e8,
    }).catch((error) => {
      console.error(error.stderr)
      failed++
    })
  }
  until.abort()
  await writing
  await end(server)
  const { lost, damage } = audit(folder.dataDir, ledger.acks)
  const figure = [
    `${count(COMMANDS, 'command')} of ${CODES} codes, ${failed} failed`,
    `${count(ledger.acks.length, 'acknowledged write')} meanwhile, ${ledger.refused.length} refused, ${lost.length} lost`,
    ...damage,
  ].join('; ')
  const isKept =
    failed + ledger.refused.length + ledger.broken.length + lost.length + damage.length === 0
  return { figure, isKept }
}
