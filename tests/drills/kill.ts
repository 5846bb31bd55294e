import { setTimeout as sleep } from 'node:timers/promises'
import { actUntil, newLedger } from '#tests/drills/_acts.ts'
import { audit } from '#tests/drills/_audit.ts'
import { count, type Drill, type Outcome } from '#tests/drills/_drill.ts'
import { killHard, makeFolder, serve } from '#tests/drills/_folder.ts'
import { SERVER, withoutGuard } from '#tests/drills/_product.ts'

const ROUNDS = 50
const CONTROL_ROUNDS = 5
const [SHORTEST_MS, LONGEST_MS] = [200, 700]

export const kill: Drill = {
  name: 'kill',
  promise: 'Acknowledged writes survive kill -9',
  trial: (work) => killWhileWriting(work, SERVER, ROUNDS),
  control: {
    without: 'answering a scan only after its commit',
    trial: async (work) => killWhileWriting(work, await answeringEarly(), CONTROL_ROUNDS),
  },
}

export function answeringEarly(): Promise<string> {
  return withoutGuard('answering-early', [
    {
      file: 'routes/_http/scans/scans.ts',
      text: 'await scanPath.record(scan)',
      instead: 'void scanPath.record(scan)',
    },
    {
      file: 'db/sqlite/scan-path.ts',
      text: 'setImmediate(flush)',
      instead: 'setTimeout(flush, 100) as never',
    },
  ])
}

/** One folder for all rounds: each start recovers what the kill before left. */
async function killWhileWriting(work: string, program: string, rounds: number): Promise<Outcome> {
  const folder = await makeFolder(work)
  const ledger = newLedger()
  const damage: string[] = []
  let lost = 0
  for (let round = 0; round < rounds; round++) {
    const server = await serve({ dataDir: folder.dataDir, program })
    const stop = new AbortController()
    const writing = actUntil({ url: server.url, folder, ledger }, stop.signal)
    await sleep(SHORTEST_MS + Math.random() * (LONGEST_MS - SHORTEST_MS))
    await killHard(server)
    stop.abort()
    await writing
  }
  const found = audit(folder.dataDir, ledger.acks)
  lost += found.lost.length
  damage.push(...found.damage)
  if (ledger.refused.length > 0) throw new Error(`Refused: ${JSON.stringify(ledger.refused[0])}`)
  const figure = `${count(rounds, 'kill')}, ${count(ledger.acks.length, 'acknowledged write')}, ${lost} lost`
  return { figure: [figure, ...damage].join('; '), isKept: lost + damage.length === 0 }
}
