import type { StatusCode } from 'hono/utils/http-status'
import type { ReactElement } from 'react'
import { readRecord } from '#backup/record.ts'
import { Note } from '#components/note.tsx'
import { type MailMode, SystemCards, SystemTools } from '#components/system-cards.tsx'
import { measureDatabase } from '#db/disk-use.ts'
import { describeOutbox } from '#db/outbox.ts'
import type { Account } from '#db/schema.ts'
import { MESSAGE_TEXTS } from '#domain/admin-message.ts'
import { formatSpan } from '#domain/ago.ts'
import { formatBytes } from '#domain/size.ts'
import { formatDateTime } from '#domain/time.ts'
import { Island } from '#islands/_island.tsx'
import type { AppContext } from '#routes/_deps.ts'
import { askedMessageDialog, renderMessages } from '#routes/admin/_messages.tsx'
import { renderAdmin } from '#routes/admin/_page.tsx'

const DONE = {
  'message-added': MESSAGE_TEXTS.added,
  'message-shown': MESSAGE_TEXTS.shown,
  'message-hidden': MESSAGE_TEXTS.hidden,
  'message-deleted': MESSAGE_TEXTS.deleted,
  checked: 'The database was checked',
  'test-mail': 'The mail server has taken a test mail to your own address',
  'cache-cleared':
    'Cleared: the compiled finder’s page, and the pages of the database that were kept in memory',
} as const
export type SystemDone = keyof typeof DONE

type Outcome = { dialog?: ReactElement; failure?: string; status?: StatusCode }

/** How the installation does, what can be done about it, and what finders read first. */
export async function renderSystem(
  c: AppContext,
  account: Account,
  { dialog, failure, status }: Outcome = {},
): Promise<Response> {
  const shown = dialog ?? (await askedMessageDialog(c))
  const done = c.req.query('done') ?? ''
  const islands = (
    <>
      <Island name="qr-dialogs" props={{}} />
      <Island name="message-switch" props={{}} />
    </>
  )
  return renderAdmin(
    c,
    account,
    { tab: 'system', dialog: shown, islands, status },
    <>
      {Object.hasOwn(DONE, done) && !failure && <Note tone="go">{DONE[done as SystemDone]}</Note>}
      {failure && <Note tone="stop">{failure}</Note>}
      <SystemCards view={await readSystem(c)} />
      <SystemTools email={account.email} mail={mailSettings(c)} />
      {await renderMessages(c)}
    </>,
  )
}

async function readSystem(c: AppContext) {
  const { db, config, clock, health, mailer } = c.var.deps
  const { file, wal } = await measureDatabase(config.dataDir)
  const { waiting, oldest } = await describeOutbox(db)
  const at = (moment: Date | string | null | undefined) => formatDateTime(moment, config.timezone)
  const check = health.lastCheck()
  const { good, failed } = readRecord(config.dataDir)
  return {
    database: {
      damage: check?.damage ?? null,
      facts: [
        { label: 'Size', value: formatBytes(file) },
        { label: 'Write-ahead log', value: formatBytes(wal) },
        { label: 'Last check', value: check ? at(check.at) : 'None since the start' },
        { label: 'Last backup', value: good ? at(good.made_at) : 'None' },
        ...(failed
          ? [{ label: 'Backup failed', value: `${at(failed.at)}: ${failed.reason}` }]
          : []),
      ],
    },
    api: {
      facts: [
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
        { label: 'Mails waiting', value: String(waiting) },
        ...(oldest ? [{ label: 'Oldest since', value: at(oldest) }] : []),
      ],
    },
  }
}

function mailMode(configured: boolean, testMode: boolean): MailMode {
  if (testMode) return 'demo'
  return configured ? 'operational' : 'off'
}

/** Where mail goes out, without the secrets of the way. */
function mailSettings(c: AppContext) {
  const { smtpUrl, from } = c.var.deps.config.mail
  return { server: smtpUrl && new URL(smtpUrl).host, from }
}
