import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { act, newLedger } from '#lab/drills/_acts.ts'
import { audit } from '#lab/drills/_audit.ts'
import type { Drill, Outcome } from '#lab/drills/_drill.ts'
import { end, makeFolder, serve } from '#lab/drills/_folder.ts'
import { withoutGuard } from '#lab/drills/_guards.ts'

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
const DAY = 86_400

export const clock: Drill = {
  name: 'clock',
  promise: 'When the clock jumps, nothing is lost, nobody is signed out, and registration works',
  programs: { faketime: 'faketime' },
  obstacle: () => (process.arch === 'x64' ? undefined : 'knows libfaketime on x64 alone'),
  trial: jump,
  without: 'ignoring one-time codes from the future',
  guardless: withoutGuard('trusting-the-future', [
    [
      'db/accounts/one-time-codes.ts',
      ".where((eb) => eb.or([eb('expires_at', '<=', at), eb('created_at', '>', ahead)]))",
      ".where('expires_at', '<=', at)",
    ],
  ]),
}

async function jump(work: string, program: string): Promise<Outcome> {
  if (!existsSync(LIBRARY)) throw new Error(`${LIBRARY} is missing`)
  const folder = await makeFolder(work)
  const offset = join(work, 'offset')
  const jumpTo = (seconds: number) => writeFileSync(offset, `${seconds < 0 ? '' : '+'}${seconds}\n`)
  jumpTo(0)
  const env = {
    LD_PRELOAD: LIBRARY,
    FAKETIME_TIMESTAMP_FILE: offset,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  }
  const server = await serve({ dataDir: folder.dataDir, program, env })
  const ledger = newLedger()
  const target = { url: server.url, folder, ledger }
  const wrong: string[] = []
  const api = async (path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${folder.token}`, 'Content-Type': 'application/json' }
    const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const answer = await fetch(`${server.url}/api${path}`, { ...sent, headers })
    return { status: answer.status, body: await answer.json() }
  }
  const askForCode = () => api('/auth/send-otp', { email: 'new@example.in' })
  // A machine without a battery for its clock may start years ahead or behind until it is set.
  const jumps = {
    'back 10 years': -3650 * DAY,
    'back 1 hour': -3600,
    'on 1 hour': 3600,
    'on 2 days': 2 * DAY,
    right: 0,
  }
  for (const [where, seconds] of Object.entries(jumps)) {
    jumpTo(seconds)
    for (const kind of ['scan', 'edit', 'code', 'scan', 'upload'] as const) await act(target, kind)
    const list = await api('/qr/my-qrs')
    if (list.status !== 200) wrong.push(`signed out ${where}`)
    const asked = await askForCode()
    if (![200, 429].includes(asked.status)) wrong.push(`no code can be requested ${where}`)
  }
  jumpTo(3650 * DAY)
  await askForCode()
  jumpTo(0)
  const asked = await askForCode()
  if (asked.status !== 200) wrong.push('nobody can register after the clock was ahead')
  const { lost, damage } = audit(folder.dataDir, ledger.acks)
  const code = await end(server)
  const figure = [
    `${Object.keys(jumps).length + 1} jumps of the clock, ${ledger.acks.length} acknowledged writes, ${lost.length} lost, ${ledger.refused.length} refused`,
    ...wrong,
    ...damage,
  ]
  const isKept =
    code === 0 && wrong.length + lost.length + damage.length + ledger.refused.length === 0
  return { figure: figure.join('; '), isKept }
}
