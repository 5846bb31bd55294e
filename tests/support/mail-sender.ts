/** A process that queues a mail in a data folder, and sends until it is killed. */
import { pino } from 'pino'
import { readConfig } from '#config.ts'
import { openOutbox } from '#db/outbox.ts'
import { loadSecretKey } from '#db/secrets.ts'
import { openDatabase } from '#db/sqlite/database.ts'
import { inTransaction } from '#db/transaction.ts'
import { createMailer } from '#mail/mailer.ts'
import { startSender } from '#mail/sender.ts'

const [dataDir = '', SMTP_URL = ''] = process.argv.slice(2)
const { db } = await openDatabase(dataDir)
const outbox = openOutbox(db, loadSecretKey(dataDir), () => new Date(), true)
const mailer = createMailer(readConfig({ SMTP_URL }))
startSender({ outbox, mailer, log: pino({ level: 'silent' }) })
const mail = {
  to: 'asha@example.in',
  subject: 'Before the crash',
  text: 'secret 1\n',
  html: '<p>secret 1</p>\n',
}
await inTransaction(db, (trx) => outbox.put(trx, mail))
setInterval(() => {}, 1_000)
