import { chmodSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kind } from '#lab/drills/_acts.ts'
import { count, type Drill, type Outcome } from '#lab/drills/_drill.ts'
import { describePages } from '#lab/drills/_finders.ts'
import { end, isRunning } from '#lab/drills/_folder.ts'
import { assessLoad, type Load, startLoad, withServers } from '#lab/drills/_servers.ts'
import { startPair } from '#lab/support/standby.ts'
import { makeQuickFolder } from '#tests/support/quick-folder.ts'

const ROUNDS = 3
const UNDER_LOAD_MS = 4_000
/** The time until an operator notices. */
const AWAY_MS = 3_000
/** The delay of the line between both, so that writes are in progress when the primary dies. */
const LINE_MS = 300
const LONGEST_BACK_MS = 30_000
const NEEDED: Kind[] = ['scan', 'edit', 'code', 'upload']
/** The answer of a server while its database is away. */
const UNAVAILABLE = 503

export const promotion: Drill = {
  name: 'promotion',
  promise: `After kill -9 of the PostgreSQL primary and the promotion of its standby nothing acknowledged is lost, and both servers write again within ${LONGEST_BACK_MS / 1000} s without a restart`,
  trial: (work) => failOver(work, true),
  without: '`synchronous_standby_names`',
  control: (work) => failOver(work, false),
}

async function failOver(work: string, confirms: boolean): Promise<Outcome> {
  const [figures, back]: [string[], number[]] = [[], []]
  let wrong = 0
  for (let round = 0; round < ROUNDS; round++) {
    const { figure, backMs, losses, others } = await failOverOnce(work, confirms)
    figures.push(figure)
    back.push(backMs)
    wrong += losses + others
  }
  const slowest = Math.max(...back)
  const figure = `${count(ROUNDS, 'promotion')}, after the slowest all writes again in ${(slowest / 1000).toFixed(1)} s; ${figures.join(' / ')}`
  return { figure, isKept: wrong === 0 && slowest <= LONGEST_BACK_MS }
}

async function failOverOnce(work: string, confirms: boolean) {
  const folder = makeQuickFolder()
  // Lets the user that PostgreSQL runs as pass.
  chmodSync(folder, 0o711)
  const pair = await startPair(folder, { confirms })
  const drill = withServers(
    work,
    async (servers) => {
      const running = [await servers.start(), await servers.start()]
      pair.moveApart(LINE_MS)
      const load = await startLoad(
        servers.folder,
        running.map(({ url }) => url),
      )
      await sleep(UNDER_LOAD_MS)
      await pair.killPrimary()
      await sleep(AWAY_MS)
      pair.promote()
      const backMs = await untilAllWrite(load)
      await sleep(UNDER_LOAD_MS)
      const times = await load.stop()
      const { figure, losses, others } = await assessLoad(servers, load, times, [UNAVAILABLE])
      const ended = await Promise.all(running.map((each) => isRunning(each) && end(each)))
      const dead = ended.filter((code) => code !== 0).length
      return {
        figure: `${figure}; ${describePages(times)}${dead > 0 ? `; ${count(dead, 'server')} ended` : ''}`,
        backMs,
        losses,
        others: others + dead,
      }
    },
    pair.urlOf,
  )
  try {
    return await drill
  } finally {
    await pair.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Waits until each server has acknowledged each kind of write and a message. Returns milliseconds. */
async function untilAllWrite({ sinceNow, talk }: Load): Promise<number> {
  const [startedAt, since, said] = [performance.now(), sinceNow(), talk.said.length]
  for (;;) {
    const tookMs = performance.now() - startedAt
    const isBack =
      talk.said.length > said && since().every((kinds) => NEEDED.every((kind) => kinds.has(kind)))
    if (isBack || tookMs > LONGEST_BACK_MS) return tookMs
    await sleep(20)
  }
}
