import { alertOrigin } from '#actions/alerts/alerting.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { mailOrigin } from '#actions/mail.ts'
import { type ChannelView, EMAIL_CHANNEL, getTarget, listChannels } from '#db/alerts/channels.ts'
import { getAlertSettings } from '#db/alerts/settings.ts'
import { removeGoneChannel, type TellUnreachable } from '#db/alerts/settlements.ts'
import { noteTest } from '#db/alerts/test-deliveries.ts'
import { nameAlert } from '#db/brands/child-mails.ts'
import { toInstant } from '#db/cast.ts'
import type { Account } from '#db/schema.ts'
import { randomId } from '#db/secrets.ts'
import { CHANNEL_LABELS } from '#domain/alerts/alert.ts'
import { assertWebhooks } from '#domain/alerts/connecting.ts'
import { endOfQuiet } from '#domain/alerts/quiet-hours.ts'
import { DomainError } from '#domain/error.ts'
import { testAlert, unreachableMail, type WrittenAlert } from '#mail/alerts.ts'
import { answerOf, type Channel } from '#mail/channels/channel.ts'
import type { Mailer } from '#mail/mailer.ts'

const TEST_LIMIT_MS = 10_000

type TestDeps = Pick<
  ActionDeps,
  'db' | 'config' | 'clock' | 'secretKey' | 'channels' | 'outbox' | 'log'
> & { mailer: Mailer }

type TestedAccount = Pick<Account, 'id' | 'email' | 'email_verified_at' | 'subscription_plan'>

/**
 * Sends a test to a channel of an account at once; the e-mail has the id `email`. What failed before on a
 * channel that it reached goes out too. Throws not_found, forbidden for a webhook on another plan, conflict for an
 * address that is not verified, and unavailable with the reason when it did not arrive.
 */
export async function testChannel(
  deps: TestDeps,
  account: TestedAccount,
  channelId: string,
): Promise<void> {
  if (channelId === EMAIL_CHANNEL) return testEmail(deps, account)
  const { db, secretKey, clock, channels } = deps
  const { kind, target, sealed } = await getTarget(db, secretKey, account.id, channelId)
  if (kind === 'webhook') assertWebhooks(account)
  const channel = channels[kind] as Channel<object>
  if (!channel.isAvailable)
    throw new DomainError({ code: 'unavailable.test_alert', values: { why: channel.whyNot ?? '' } })
  const id = randomId()
  const { alert } = await testAlertFor(deps, account.id)
  const content = { at: toInstant(clock()), alert }
  const signal = AbortSignal.timeout(TEST_LIMIT_MS)
  const outcome = await channel.send({ id, ...content }, target, signal)
  const isDelivered = outcome.result === 'delivered'
  const tested = { channel: { id: channelId, kind }, id, content, isDelivered }
  await noteTest(db, secretKey, { ...tested, answer: answerOf(outcome) }, clock())
  if (outcome.result === 'gone') {
    await removeGoneChannel(db, { id: channelId, sealed })
    const why = `${outcome.why}, so this channel was removed`
    throw new DomainError({ code: 'unavailable.test_alert', values: { why } })
  }
  if (!isDelivered)
    throw new DomainError({ code: 'unavailable.test_alert', values: { why: answerOf(outcome) } })
  deps.outbox.wake()
}

/** `problem` is null for a test that arrived. */
export type TestedChannel = Pick<ChannelView, 'id' | 'kind' | 'name'> & { problem: string | null }

/** Tests every channel of an account, one after the other. */
export async function testAllChannels(
  deps: TestDeps,
  account: TestedAccount,
): Promise<TestedChannel[]> {
  const tested: TestedChannel[] = []
  for (const { id, kind, name } of await listChannels(deps.db, deps.secretKey, account.id)) {
    const problem = await testChannel(deps, account, id).then(
      () => null,
      (error: unknown) => {
        if (error instanceof DomainError) return error.message
        throw error
      },
    )
    tested.push({ id, kind, name, problem })
  }
  return tested
}

async function testEmail(
  deps: TestDeps,
  { id, email, email_verified_at }: TestedAccount,
): Promise<void> {
  if (!email || !email_verified_at) throw new DomainError('conflict.email_unverified')
  if (!deps.mailer.configured) throw new DomainError('unavailable.email')
  const { mail } = await testAlertFor(deps, id)
  try {
    await deps.mailer.send({ ...mail, to: email }, randomId())
  } catch (error) {
    deps.log.warn({ code: (error as { code?: string }).code }, 'the test mail failed')
    throw new DomainError({
      code: 'unavailable.test_alert',
      values: { why: 'the mail server did not take it' },
    })
  }
  await deps.outbox.noteMailed(id)
}

function testAlertFor(deps: TestDeps, accountId: string): Promise<WrittenAlert> {
  return nameAlert(deps.db, testAlert(alertOrigin(deps)), accountId, deps.clock())
}

/** Mails an owner, after quiet hours, that a channel cannot be reached. */
export function aboutUnreachable(deps: ActionDeps): TellUnreachable {
  return async (trx, { accountId, kind, name, since }) => {
    const { quietHours } = await getAlertSettings(trx, accountId)
    const quietUntil = endOfQuiet(deps.clock(), quietHours, deps.config.timezone)
    const settingsUrl = `${deps.config.publicUrl}/settings/notifications`
    const about = { label: CHANNEL_LABELS[kind], name, since, settingsUrl }
    const mail = unreachableMail(about, mailOrigin(deps))
    const dueAt = quietUntil && { dueAt: toInstant(quietUntil) }
    await deps.outbox.putTo(trx, { accountId, ...mail, ...dueAt })
  }
}
