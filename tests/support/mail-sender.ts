/** A process that puts a mail into the outbox that the settings name, and sends until it is killed. */
import { pino } from 'pino'
import { readConfig } from '#config.ts'
import { openEngine } from '#db/open-engine.ts'
import { openOutbox } from '#db/outbox.ts'
import { loadSecretKey } from '#db/secrets.ts'
import { createMailer } from '#mail/mailer.ts'
import { startSender } from '#mail/sender.ts'

const config = readConfig()
const db = await (await openEngine(config)).queries()
const outbox = openOutbox(db, loadSecretKey(config.dataDir), () => new Date(), true)
const mailer = createMailer(config)
startSender({ outbox, mailer, log: pino({ level: 'silent' }) })
await outbox.put(db, {
  to: 'asha@example.in',
  subject: 'Before the crash',
  text: 'secret 1\n',
  html: '<p>secret 1</p>\n',
})
setInterval(() => {}, 1_000)
