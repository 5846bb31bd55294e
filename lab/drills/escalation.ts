import { setTimeout as sleep } from 'node:timers/promises'
import { makePageToken } from '#actions/conversations/page-token.ts'
import { listDueSteps } from '#db/alerts/escalation.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import { loadSecretKey } from '#db/secrets.ts'
import { count, type Drill, type Outcome } from '#lab/drills/_drill.ts'
import { type Folder, isRunning, killHard } from '#lab/drills/_folder.ts'
import { withoutGuard } from '#lab/drills/_guards.ts'
import { type Servers, withServers } from '#lab/drills/_servers.ts'
import { openDatabaseOf } from '#tests/e2e/support/server.ts'
import { insertShare } from '#tests/support/people.ts'
import { type Launched, launch } from '#tests/support/server.ts'

const MINUTES = 5
const DAY = 86_400
/** By how much each person's turn is late, in seconds: it is early after the clock was set back. */
const ROUNDS = [0, DAY, -DAY, 0]
/** After how many of the hundred steps of a round the first worker is killed, and the second one. */
const KILLED_AFTER = [20, 60]
const LONGEST_MS = 60_000
/** For a worker to tell somebody too early. */
const REST_MS = 1_000
/** Nobody listens there, so that all mails wait in the outbox, where they are counted. */
const ENV = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'keys@example.in' }

export const escalation: Drill = {
  name: 'escalation',
  promise:
    'People are told one after another of messages that nobody opens, each once, also when workers are killed in the middle by kill -9 and when the clock jumps',
  trial: (work, program) => withServers(work, (servers) => escalateUnderKills(servers, program)),
  without: "taking a step in the transaction of its person's alert",
  guardless: withoutGuard('taking-before-telling', [
    [
      'db/alerts/escalation.ts',
      `  await inTransaction(db, async (trx) => {
    if (!(await claim(trx, step))) return
`,
      `  if (!(await inTransaction(db, (trx) => claim(trx, step)))) return
  await inTransaction(db, async (trx) => {
`,
    ],
  ]),
}

async function escalateUnderKills(servers: Servers, program: string): Promise<Outcome> {
  const { folder } = servers
  const { db, close } = await openDatabaseOf(folder)
  try {
    await shareWith(db, folder, ROUNDS.length)
    const web = await servers.start({ program, env: { ROLE: 'web', ...ENV } })
    for (const qrId of folder.codes) await write(web.url, folder, qrId)
    const total = { kills: 0, untold: 0, twice: 0, early: 0 }
    for (const [round, late] of ROUNDS.entries()) {
      const due_at = toInstant(secondsAfter(new Date(), -late))
      await db.updateTable('escalation_steps').set({ due_at }).where('state', '=', 'due').execute()
      total.kills += await killTwo(db, servers, program, round)
      const { untold, twice, early } = await audit(db, round)
      total.untold += untold
      total.twice += twice
      total.early += early
    }
    const { kills, untold, twice, early } = total
    const steps = folder.codes.length * ROUNDS.length
    const figure = [
      `${count(steps, 'step')}, ${count(kills, 'kill')} in the middle`,
      `after each person's turn ${untold} not told, ${twice} told twice, ${early} told before their turn`,
    ].join('; ')
    return { figure, isKept: untold + twice + early === 0 }
  } finally {
    await close()
  }
}

/** Shares all codes of a folder with some accounts, which are told one after another. */
async function shareWith(db: Db, { accountId }: Folder, people: number): Promise<void> {
  const others = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '<>', accountId)
    .orderBy('email')
    .limit(people)
    .execute()
  for (const [n, { id }] of others.entries()) {
    const created_at = toInstant(secondsAfter(new Date(), n - people))
    await insertShare(db, { owner_id: accountId, person_id: id }, { created_at, role: 'member' })
  }
  await db.insertInto('escalations').values({ account_id: accountId, minutes: MINUTES }).execute()
}

/** Writes to the owner of a code as a finder. */
async function write(url: string, { dataDir }: Folder, qrId: string): Promise<void> {
  const shownAt = secondsAfter(new Date(), -5)
  const page_token = makePageToken(loadSecretKey(dataDir), qrId, shownAt)
  const answer = await fetch(`${url}/api/scan/${qrId}/messages`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ page_token, reason: 'found', text: 'I found these keys' }),
  })
  if (answer.status !== 201) throw new Error(`Refused with ${answer.status}`)
}

/** Kills two workers while they take the steps of a round, and has a third one go on. Returns the kills in the middle. */
async function killTwo(
  db: Db,
  { folder, databaseUrl }: Servers,
  program: string,
  round: number,
): Promise<number> {
  const env = { DATABASE_URL: databaseUrl, RATE_LIMITS: 'off', ROLE: 'worker', ...ENV }
  const running: Launched[] = []
  const start = async () => {
    const worker = await launch({ dataDir: folder.dataDir, program, env })
    running.push(worker)
    return worker
  }
  try {
    const workers = [await start(), await start()]
    let kills = 0
    for (const [n, worker] of workers.entries()) {
      const enough = KILLED_AFTER[n] ?? 0
      await until(async () => (await countTaken(db, round)) >= enough)
      await killHard(worker)
      if ((await countTaken(db, round)) < folder.codes.length) kills++
    }
    await start()
    await until(async () => (await listDueSteps(db, 1, new Date())).length === 0)
    await sleep(REST_MS)
    return kills
  } finally {
    await Promise.all(running.filter(isRunning).map(killHard))
  }
}

async function countTaken(db: Db, round: number): Promise<number> {
  const taken = await db
    .selectFrom('escalation_steps')
    .select('conversation_id')
    .where('place', '=', round)
    .where('state', '=', 'told')
    .execute()
  return taken.length
}

/** Compares the mails to people with their turns until a round. Each counts in the round of its turn alone. */
async function audit(db: Db, round: number) {
  const turns = await db
    .selectFrom('escalation_steps')
    .innerJoin('conversation_mails', (join) =>
      join
        .onRef('conversation_mails.conversation_id', '=', 'escalation_steps.conversation_id')
        .on('side', '=', 'owner'),
    )
    .select(['account_id', 'outbox_id', 'place'])
    .execute()
  const mails = await db
    .selectFrom('outbox')
    .select(['account_id', 'cause_id'])
    .where('share_id', 'is not', null)
    .execute()
  const told = new Map<string, number>()
  for (const { account_id, cause_id } of mails) {
    const turn = `${account_id} ${cause_id}`
    told.set(turn, (told.get(turn) ?? 0) + 1)
  }
  const mailsOf = ({ account_id, outbox_id }: (typeof turns)[number]) =>
    told.get(`${account_id} ${outbox_id}`) ?? 0
  const now = turns.filter(({ place }) => place === round).map(mailsOf)
  const next = turns.filter(({ place }) => place === round + 1).map(mailsOf)
  return {
    untold: now.filter((n) => n === 0).length,
    twice: now.filter((n) => n > 1).length,
    early: next.filter((n) => n > 0).length,
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + LONGEST_MS
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error('No steps are taken')
    await sleep(10)
  }
}
