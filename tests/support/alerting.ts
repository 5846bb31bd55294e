import { alertOrigin } from '#actions/alerts/alerting.ts'
import type { NewAlert } from '#db/alerts/alerting.ts'
import { addChannel } from '#db/alerts/channels.ts'
import { changeAlertSettings } from '#db/alerts/settings.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Alert, AlertEvent, Choice, ConnectedKind } from '#domain/alerts/alert.ts'
import { asAlert } from '#mail/alerts.ts'
import { writeLetter } from '#mail/letter.ts'
import { openTestApp } from '#tests/support/app.ts'
import { recordingChannels } from '#tests/support/channels.ts'

export const SMTP = { SMTP_URL: 'smtp://127.0.0.1:25', PUBLIC_URL: 'https://keys.example.in' }

/** Opens an application whose channels only note their deliveries. */
export async function openAlerts(options: Parameters<typeof openTestApp>[0] = {}) {
  const recording = recordingChannels()
  const app = await openTestApp({
    ...options,
    env: { ...SMTP, ...options.env },
    channels: recording.channels,
  })
  const { db, deps, sender } = app

  async function connect(account: { id: string }, kind: ConnectedKind, address = 'one') {
    const channel = { kind, name: `${kind} ${address}`, address, target: { address } }
    return addChannel(db, deps.secretKey, account.id, channel, deps.clock())
  }

  const choose = (account: { id: string }, ...choices: Choice[]) =>
    changeAlertSettings(db, account.id, { choices })

  /** Alerts an account in a transaction of its own. */
  async function alert(
    account: { id: string },
    about: Partial<Alert> & { event?: AlertEvent } = {},
    rest: Partial<NewAlert> = {},
  ) {
    const letter = writeLetter({ subject: 'It happened', site: 'x', reason: 'Just so.', parts: [] })
    const { publicUrl } = alertOrigin(deps)
    const written = asAlert(letter, { event: 'message', url: `${publicUrl}/dashboard`, ...about })
    await inTransaction(db, (trx) =>
      deps.outbox.alert(trx, { accountId: account.id, ...written, ...rest }),
    )
    await sender.settled()
  }

  /** Moves the clock, and has the sender look. */
  async function pass(seconds: number) {
    app.advance(seconds)
    deps.outbox.wake()
    await sender.settled()
  }

  const rows = () => db.selectFrom('outbox').selectAll().orderBy('id').execute()
  const channel = (id: string) =>
    db.selectFrom('alert_channels').selectAll().where('id', '=', id).executeTakeFirst()
  return { ...app, ...recording, connect, choose, alert, pass, rows, channel }
}
