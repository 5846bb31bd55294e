import type { Command } from 'commander'
import { pino } from 'pino'
import { type TestedChannel, testAllChannels } from '#actions/alerts/channels.ts'
import { getAccountOf } from '#db/accounts/account-changes.ts'
import { openOutbox } from '#db/outbox.ts'
import { accountNow } from '#db/plans/plan-now.ts'
import { CHANNEL_LABELS } from '#domain/alerts/alert.ts'
import { CommandError } from '#domain/error.ts'
import { createChannels } from '#mail/channels/index.ts'
import { createMailer } from '#mail/mailer.ts'
import { openBot } from '#mail/telegram/api.ts'
import { CONTACT } from '#scripts/_contact.ts'
import { type Context, example, wantsJson, withDatabase } from '#scripts/_context.ts'
import { printAnswer, toTable } from '#scripts/_terminal.ts'

export function addNotifyCommands(program: Command, context: Context): void {
  const notify = program.command('notify').description('alerts')
  notify
    .command('test')
    .description('send a test to every channel of an account, and say which arrived')
    .addArgument(CONTACT)
    .addHelpText('after', example('notify test asha@example.in'))
    .action((contact, _options, command) => test(contact, command, context))
}

async function test(contact: string, command: Command, context: Context): Promise<void> {
  const tested = await withDatabase(context, async ({ db, config, secretKey }) => {
    const { clock } = context
    const account = accountNow(await getAccountOf(db, contact), clock())
    const mailer = createMailer(config)
    const telegram = openBot(config)
    const channels = createChannels({ config, secretKey, clock, telegram })
    const outbox = openOutbox(db, secretKey, clock, mailer.configured, config.timezone)
    const log = pino({ level: 'silent' })
    return testAllChannels({ db, config, clock, secretKey, channels, mailer, outbox, log }, account)
  })
  printAnswer(context.terminal, wantsJson(command), { channels: tested }, () => toText(tested))
  const missing = tested.filter(({ problem }) => problem !== null).length
  if (missing === 0) return
  const were = missing === 1 ? '1 test did not arrive' : `${missing} tests did not arrive`
  throw new CommandError(were)
}

function toText(tested: TestedChannel[]): string {
  const rows = tested.map(({ kind, name, problem }) => [
    CHANNEL_LABELS[kind],
    name ?? '',
    problem ?? 'arrived',
  ])
  return toTable(['CHANNEL', 'NAME', 'TEST'], rows)
}
