import { setTimeout as sleep } from 'node:timers/promises'
import type { MailMode } from '#components/admin/system-cards.tsx'
import { VERSION } from '#config.ts'
import { measureDatabase } from '#db/admin/database-size.ts'
import { describeWaiting } from '#db/outbox-waiting.ts'
import { formatSpan } from '#domain/ago.ts'
import { formatBytes } from '#domain/size.ts'
import { formatDateTime } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { readRecord } from '#storage/backup/record.ts'

/** Describes the state of database, files, API and e-mail. */
export async function readSystem(c: AppContext) {
  const { db, config, clock, health, mailer, files } = c.var.deps
  const sizes = await measureDatabase(db)
  const { mails, alerts } = await describeWaiting(db)
  const at = (moment: Date | string | null | undefined) => formatDateTime(moment, config.timezone)
  const check = health.lastCheck()
  const { good, failed } = readRecord(config.dataDir)
  return {
    database: {
      damage: check?.damage ?? null,
      facts: [
        ...sizes.map(({ part, bytes }) => ({ label: part, value: formatBytes(bytes) })),
        { label: 'Last check', value: check ? at(check.at) : 'None since the start' },
        { label: 'Last backup', value: good ? at(good.made_at) : 'None' },
        ...(failed
          ? [{ label: 'Backup failed', value: `${at(failed.at)}: ${failed.reason}` }]
          : []),
      ],
    },
    files: {
      failure: await findFailure(files.check),
      facts: [{ label: 'Stored in', value: files.place }],
    },
    api: {
      facts: [
        { label: 'Version', value: VERSION },
        {
          label: 'Up for',
          value: formatSpan(clock().getTime() - health.startedAt.getTime()),
        },
        { label: 'Since', value: at(health.startedAt) },
        { label: 'Errors since then', value: String(health.countFailures()) },
        { label: 'Rate limits', value: config.rateLimits ? 'On' : 'Off' },
      ],
    },
    mail: {
      mode: mailMode(mailer.configured, config.testMode),
      facts: [
        { label: 'Mail server', value: mailSettings(c).server ?? 'None' },
        { label: 'One-time codes', value: config.testMode ? 'Shown on the page' : 'Mailed only' },
        { label: 'Mails waiting', value: String(mails.waiting) },
        ...(mails.oldest ? [{ label: 'Oldest since', value: at(mails.oldest) }] : []),
        { label: 'Other alerts waiting', value: String(alerts.waiting) },
        { label: 'Channels not reachable', value: String(alerts.unreachable) },
      ],
    },
  }
}

/** A person waits for the page. */
const LONGEST_CHECK_MS = 3_000

async function findFailure(check: () => Promise<void>): Promise<string | null> {
  const late = sleep(LONGEST_CHECK_MS, 'It does not answer', { ref: false })
  return Promise.race([
    late,
    check().then(
      () => null,
      (error: Error) => error.message,
    ),
  ])
}

function mailMode(configured: boolean, testMode: boolean): MailMode {
  if (testMode) return 'demo'
  return configured ? 'operational' : 'off'
}

/** Returns the mail server and sender, without secrets. */
export function mailSettings(c: AppContext) {
  const { smtpUrl, from } = c.var.deps.config.mail
  return { server: smtpUrl && new URL(smtpUrl).host, from }
}
