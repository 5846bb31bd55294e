import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { act, MIXED, newLedger } from '#lab/drills/_acts.ts'
import { audit } from '#lab/drills/_audit.ts'
import { count, type Drill, type Outcome } from '#lab/drills/_drill.ts'
import { type Folder, makeFolder } from '#lab/drills/_folder.ts'
import { withoutGuard } from '#lab/drills/_guards.ts'
import { launch } from '#tests/support/server.ts'

type Fault = { call: string; error: string; when: number }

const UP_TO = (n: number, step = 1) => Array.from({ length: n }, (_, i) => 1 + i * step)
/** Each of the first calls of a server fails once, each on a new server. */
const FAULTS: Fault[] = [
  ...UP_TO(14).map((when) => ({ call: 'fsync', error: 'EIO', when })),
  ...UP_TO(12, 5).map((when) => ({ call: 'pwrite64', error: 'EIO', when })),
  ...UP_TO(8, 7).map((when) => ({ call: 'pwrite64', error: 'ENOSPC', when })),
  ...UP_TO(2).map((when) => ({ call: 'rename', error: 'EIO', when })),
]
const CONTROL_FAULTS = FAULTS.filter(({ call, when }) => call === 'fsync' && when > 8)
const AT_ONCE = 2

export const ioErrors: Drill = {
  name: 'io-errors',
  promise:
    'When the disk fails once, no lost write is acknowledged, and the server continues or ends cleanly',
  programs: { strace: 'strace' },
  trial: (work, program) => failEach(work, program, FAULTS),
  without: 'checking whether a commit succeeded',
  control: (work, program) => failEach(work, program, CONTROL_FAULTS),
  guardless: withoutGuard('believing', [
    [
      'db/sqlite/queries.ts',
      '  override async rollbackTransaction(',
      `  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection).catch(() => {
      if (this.#connection.inTransaction) this.#connection.exec('rollback')
    })
  }\n\n  override async rollbackTransaction(`,
    ],
  ]),
}

async function failEach(work: string, program: string, faults: Fault[]): Promise<Outcome> {
  const folder = await makeFolder(work)
  const found = { met: 0, refused: 0, notStarted: 0, ended: 0 }
  const wrong: string[] = []
  const left = [...faults.entries()]
  const inject = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [i, fault] = next
      const dataDir = join(work, `fault-${i}`)
      cpSync(folder.dataDir, dataDir, { recursive: true })
      const result = await failOnce({ ...folder, dataDir }, program, fault)
      found.refused += result.refused
      found.met += Number(result.isMet)
      found.notStarted += Number(!result.isServing)
      found.ended += Number(result.isServing && result.hasEnded)
      wrong.push(
        ...result.wrong.map((each) => `${fault.call} ${fault.error} ${fault.when}: ${each}`),
      )
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, inject))
  const figure = [
    `${count(faults.length, 'fault')}, ${found.met} occurred: ${count(found.refused, 'act')} refused or a scan not counted, ${count(found.notStarted, 'start')} refused, ${found.ended} servers ended`,
    wrong.length === 0 ? '0 silent losses' : `${wrong.length} wrong, the first: ${wrong[0]}`,
  ].join('; ')
  return { figure, isKept: wrong.length === 0 && found.met > 0 }
}

async function failOnce(folder: Folder, program: string, { call, error, when }: Fault) {
  const log = join(folder.dataDir, '..', `${folder.dataDir.split('/').at(-1)}.log`)
  const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:error=${error}:when=${when}`]
  const under = ['strace', '-f', '-o', log, ...inject]
  const env = { RATE_LIMITS: 'off' }
  const server = await launch({ dataDir: folder.dataDir, program, under, env })
  const isServing = await server.serves()
  const ledger = newLedger()
  const target = { url: server.url, folder, ledger }
  if (isServing) {
    // Each act has its own code, so that no later edit hides a lost one.
    for (const [i, kind] of [...MIXED, ...MIXED].entries()) await act(target, kind, i)
  }
  const countRefused = () => ledger.refused.length + countUncounted(server.output())
  const isMetBefore = countRefused() > 0
  const edit = async (client: number) => {
    const before = ledger.refused.length
    return (await act(target, 'edit', client)) && ledger.refused.length === before
  }
  // Only one call fails: the last request succeeds, or it meets the fault and the next one succeeds.
  const isAnswering = isServing && ((await edit(98)) || (!isMetBefore && (await edit(99))))
  const hasEnded = server.child.exitCode !== null
  if (!hasEnded) server.kill('SIGTERM')
  const { code } = await server.ended
  const uncounted = countUncounted(server.output())
  const { lost, damage } = audit(folder.dataDir, ledger.acks)
  const lostScans = lost.filter(({ kind }) => kind === 'scan').length
  const wrong = [
    ...lost.filter(({ kind }) => kind !== 'scan').map(({ kind }) => `${kind} silently lost`),
    ...(lostScans > uncounted ? ['scan silently lost'] : []),
    ...damage,
    ...(isAnswering || hasEnded || !isServing ? [] : ['refuses requests after the fault']),
    ...(isServing && !hasEnded && code !== 0 ? [`ends with ${code}`] : []),
    ...(!isServing && code !== 3 ? [`a failed start ends with ${code}`] : []),
  ]
  const refused = countRefused()
  return { wrong, isMet: refused > 0 || !isServing, refused, isServing, hasEnded }
}

function countUncounted(output: string): number {
  return output.split('scan not counted').length - 1
}
