import { changeEscalation, type EscalationChange } from '#db/alerts/escalation-settings.ts'
import { fromFlag, toFlag } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { inTransaction } from '#db/transaction.ts'
import {
  type Choice,
  type Choices,
  isFixed,
  isOnByDefault,
  toChoices,
} from '#domain/alerts/alert.ts'
import { assertQuietHours, type QuietHours } from '#domain/alerts/quiet-hours.ts'
import { DomainError } from '#domain/error.ts'

export type AlertSettings = {
  choices: Choices
  /** for codes that others share with the account */
  sharedChoices: Choices
  quietHours: QuietHours | null
}
/** A setting that is not named stays as it is; `quietHours` null ends them. */
export type SettingsChange = {
  choices?: Choice[]
  quietHours?: QuietHours | null
  escalation?: EscalationChange
}

export async function getAlertSettings(db: DbOrTrx, accountId: string): Promise<AlertSettings> {
  const changed = await db
    .selectFrom('alert_choices')
    .select(['event', 'kind', 'is_on', 'is_shared'])
    .where('account_id', '=', accountId)
    .execute()
  const hours = await db
    .selectFrom('quiet_hours')
    .select(['starts as from', 'ends as to'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  const choices = changed.map(({ is_on, is_shared, ...choice }) => ({
    ...choice,
    isOn: fromFlag(is_on),
    isShared: fromFlag(is_shared),
  }))
  return {
    choices: toChoices(choices),
    sharedChoices: toChoices(choices, true),
    quietHours: hours ?? null,
  }
}

/** A further step of a change, in its transaction. */
type FollowUp = (trx: Trx) => Promise<void>

/**
 * Changes the named settings. Throws invalid for times of another form, for alerts that cannot
 * be switched off, and for an order of others than the account's people.
 */
export async function changeAlertSettings(
  db: Db,
  accountId: string,
  { choices = [], quietHours, escalation }: SettingsChange,
  followUp?: FollowUp,
): Promise<AlertSettings> {
  if (choices.some(({ event, kind, isOn }) => isFixed(event, kind) && !isOn)) {
    throw new DomainError('invalid.security_mails')
  }
  if (quietHours) assertQuietHours(quietHours)
  return inTransaction(db, async (trx) => {
    for (const choice of choices) await putChoice(trx, accountId, choice)
    if (quietHours !== undefined) await putQuietHours(trx, accountId, quietHours)
    if (escalation) await changeEscalation(trx, accountId, escalation)
    await followUp?.(trx)
    return getAlertSettings(trx, accountId)
  })
}

/** Only what differs from the default is stored. */
async function putChoice(
  trx: Trx,
  accountId: string,
  { event, kind, isOn, isShared = false }: Choice,
): Promise<void> {
  const is_shared = toFlag(isShared)
  if (isOn === isOnByDefault(event, kind, isShared)) {
    await trx
      .deleteFrom('alert_choices')
      .where('account_id', '=', accountId)
      .where('is_shared', '=', is_shared)
      .where('event', '=', event)
      .where('kind', '=', kind)
      .execute()
    return
  }
  await trx
    .insertInto('alert_choices')
    .values({ account_id: accountId, is_shared, event, kind, is_on: toFlag(isOn) })
    .onConflict((each) => each.doNothing())
    .execute()
}

async function putQuietHours(
  trx: Trx,
  account_id: string,
  quietHours: QuietHours | null,
): Promise<void> {
  await trx.deleteFrom('quiet_hours').where('account_id', '=', account_id).execute()
  if (!quietHours) return
  const hours = { starts: quietHours.from, ends: quietHours.to }
  await trx
    .insertInto('quiet_hours')
    .values({ account_id, ...hours })
    .execute()
}
