/** A process that queues a mail in the outbox of its settings, and sends until it is killed. */
import { pino } from 'pino'
import { readConfig } from '#config.ts'
import { openEngine } from '#db/open-engine.ts'
import { openOutbox } from '#db/outbox.ts'
import { loadSecretKey } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { createChannels } from '#mail/channels/index.ts'
import { createMailer } from '#mail/mailer.ts'
import { startSender } from '#mail/sender.ts'

const config = readConfig()
const db = await (await openEngine(config)).queries()
const clock = () => new Date()
const secretKey = loadSecretKey(config.dataDir)
const outbox = openOutbox(db, secretKey, clock, true)
const mailer = createMailer(config)
const channels = createChannels({ config, secretKey, clock, telegram: undefined })
startSender({ outbox, mailer, channels, log: pino({ level: 'silent' }) })
const mail = {
  to: 'asha@example.in',
  subject: 'Before the crash',
  text: 'secret 1\n',
  html: '<p>secret 1</p>\n',
}
await inTransaction(db, (trx) => outbox.put(trx, mail))
setInterval(() => {}, 1_000)
