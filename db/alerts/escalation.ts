import type { Selectable } from 'kysely'
import { withdrawUntried } from '#db/alerts/alerting.ts'
import { listPeopleOf, type Person } from '#db/alerts/people.ts'
import { isQuiet } from '#db/alerts/quiet-waits.ts'
import { getAlertSettings } from '#db/alerts/settings.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import type { Notify } from '#db/outbox.ts'
import type { FinderConversationRow, Instant, OfFinder, Tables } from '#db/schema.ts'
import type { Sweep } from '#db/sweep.ts'
import { inTransaction } from '#db/transaction.ts'
import { LONGEST_STEP_MINUTES } from '#domain/alerts/escalation.ts'
import { endOfQuiet } from '#domain/alerts/quiet-hours.ts'

type Step = Selectable<Tables['escalation_steps']>
/** A step whose time has come. */
export type DueStep = Pick<Step, 'conversation_id' | 'account_id' | 'state'> & { due_at: Instant }
/** A person whose turn it is to hear of a conversation. */
export type Turn = { conversation: FinderConversationRow; person: Person }

type Rules = { now: Date; timezone: string }

/**
 * Plans when people hear of a conversation, one after another, as a step of the transaction of its message. Those
 * that are planned stay as they are: a second message neither doubles nor delays them.
 */
export async function beginEscalation(
  trx: Trx,
  conversationId: string,
  people: readonly Pick<Person, 'accountId'>[],
  firstAt: Date,
): Promise<void> {
  if (people.length === 0) return
  const rows = people.map(({ accountId }, place) => ({
    conversation_id: conversationId,
    account_id: accountId,
    place,
    state: place === 0 ? ('due' as const) : ('later' as const),
    due_at: place === 0 ? toInstant(firstAt) : null,
  }))
  await trx
    .insertInto('escalation_steps')
    .values(rows)
    .onConflict((row) => row.doNothing())
    .execute()
}

/**
 * Ends the plan of `beginEscalation`, because somebody who may answer has opened the conversation. People in quiet
 * hours hear of it no more at their end.
 */
export async function endEscalation(trx: Trx, conversationId: string): Promise<void> {
  const { hasSteps, quietIds } = await findPlan(trx, conversationId)
  await withdrawUntried(trx, quietIds)
  if (!hasSteps) return
  await trx.deleteFrom('escalation_steps').where('conversation_id', '=', conversationId).execute()
}

/** Returns whether steps are planned, and the alerts to people that wait for the end of quiet hours. */
async function findPlan(trx: Trx, conversationId: string) {
  const rows = await trx
    .selectFrom('conversations')
    .leftJoin('conversation_mails', (join) =>
      join
        .onRef('conversation_mails.conversation_id', '=', 'conversations.id')
        .on('side', '=', 'owner'),
    )
    .leftJoin('outbox', (join) =>
      join
        .onRef('outbox.cause_id', '=', 'conversation_mails.outbox_id')
        .on('outbox.share_id', 'is not', null)
        .on('outbox.attempts', '=', 0),
    )
    .select(['outbox.id', 'outbox.created_at', 'outbox.next_attempt_at'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('escalation_steps')
          .select('place')
          .whereRef('escalation_steps.conversation_id', '=', 'conversations.id'),
      ).as('has_steps'),
    )
    .where('conversations.id', '=', conversationId)
    .execute()
  const quietIds = rows.flatMap(({ id, created_at, next_attempt_at }) =>
    id && created_at && next_attempt_at && isQuiet({ created_at, next_attempt_at }) ? [id] : [],
  )
  return { hasSteps: rows.some(({ has_steps }) => has_steps), quietIds }
}

/** Returns the planned steps of a conversation; those that are `told` hear of further messages as the owner does. */
export function listSteps(db: DbOrTrx, conversationId: string): Promise<Step[]> {
  return db
    .selectFrom('escalation_steps')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .execute()
}

/**
 * Returns the steps whose time has come, those that waited longest first. So is one whose time only a clock that was
 * ahead can have written.
 */
export async function listDueSteps(db: DbOrTrx, most: number, now: Date): Promise<DueStep[]> {
  const longest = toInstant(secondsAfter(now, LONGEST_STEP_MINUTES * 60))
  const rows = await db
    .selectFrom('escalation_steps')
    .select(['conversation_id', 'account_id', 'state', 'due_at'])
    .where(({ eb, or, and }) =>
      or([
        eb('due_at', '<=', toInstant(now)),
        and([eb('due_at', '>', longest), eb('state', '=', 'due')]),
      ]),
    )
    .orderBy('due_at')
    .limit(most)
    .execute()
  return rows as DueStep[]
}

/**
 * Takes a step once, however many workers find it: tells its person, or has them wait for the end of quiet hours.
 * The next person's time then begins, or has come where this one heard nothing now. A conversation that somebody
 * has opened, closed or muted meanwhile takes no more steps.
 */
export async function takeStep(
  db: Db,
  step: DueStep,
  { now, timezone }: Rules,
  notify: Notify<Turn>,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    if (!(await claim(trx, step))) return
    const conversation = await findWaiting(trx, step.conversation_id)
    if (!conversation) return endEscalation(trx, step.conversation_id)
    const { people, minutes, isLost } = await listPeopleOf(trx, conversation, now)
    const person = people.find(({ accountId }) => accountId === step.account_id)
    const quiet = person && !isLost && (await findQuiet(trx, step.account_id, { now, timezone }))
    if (quiet) await change(trx, step, { state: 'quiet', due_at: toInstant(quiet) })
    const isTold = person && !quiet && Boolean(await notify(trx, { conversation, person }))
    if (step.state !== 'due') return
    await beginNext(trx, step, secondsAfter(now, isTold ? (minutes ?? 0) * 60 : 0))
  })
}

async function claim(trx: Trx, step: DueStep): Promise<boolean> {
  const { numUpdatedRows } = await change(trx, step, { state: 'told', due_at: null }, step)
  return numUpdatedRows > 0n
}

function change(
  trx: Trx,
  { conversation_id, account_id }: Pick<Step, 'conversation_id' | 'account_id'>,
  to: Pick<Step, 'state' | 'due_at'>,
  from?: Pick<DueStep, 'state' | 'due_at'>,
) {
  return trx
    .updateTable('escalation_steps')
    .set(to)
    .where('conversation_id', '=', conversation_id)
    .where('account_id', '=', account_id)
    .$if(from !== undefined, (query) =>
      query
        .where('state', '=', from?.state as Step['state'])
        .where('due_at', '=', from?.due_at as Instant),
    )
    .executeTakeFirst()
}

/** Returns a conversation whose finder waits for somebody to open it. */
function findWaiting(trx: Trx, id: string): Promise<FinderConversationRow | undefined> {
  return trx
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'open')
    .where('is_unread', '=', 1)
    .where('is_muted', '=', 0)
    .where('is_deleted', '=', 0)
    .where('ended_at', 'is', null)
    .$narrowType<OfFinder>()
    .executeTakeFirst()
}

async function findQuiet(
  trx: Trx,
  accountId: string,
  { now, timezone }: Rules,
): Promise<Date | undefined> {
  const { quietHours } = await getAlertSettings(trx, accountId)
  return endOfQuiet(now, quietHours, timezone)
}

async function beginNext(trx: Trx, { conversation_id }: DueStep, at: Date): Promise<void> {
  const next = (await listSteps(trx, conversation_id))
    .filter(({ state }) => state === 'later')
    .sort((a, b) => a.place - b.place)[0]
  if (next) await change(trx, next, { state: 'due', due_at: toInstant(at) })
}

/** Begins the next step where the person whose turn it was has deleted their account meanwhile. */
export const resumeEscalations: Sweep = async (db, { now }) => {
  await inTransaction(db, async (trx) => {
    await trx
      .updateTable('escalation_steps')
      .set({ state: 'due', due_at: toInstant(now) })
      .where('state', '=', 'later')
      .where(({ eb, not, exists, selectFrom }) => {
        const others = selectFrom('escalation_steps as other').whereRef(
          'other.conversation_id',
          '=',
          'escalation_steps.conversation_id',
        )
        const later = others.where('other.state', '=', 'later')
        return eb.and([
          eb(
            'place',
            '=',
            later.select(({ fn }) => fn.min<number>('other.place').as('first')),
          ),
          not(exists(others.where('other.state', '=', 'due').select('other.place'))),
        ])
      })
      .execute()
  })
}
