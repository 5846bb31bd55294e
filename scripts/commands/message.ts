import type { Command } from 'commander'
import { addAdminMessage, deleteAdminMessage, listAdminMessages } from '#db/admin/admin-messages.ts'
import { COMMAND_LINE } from '#db/admin/audit-events.ts'
import { cleanLine, cleanText } from '#domain/text.ts'
import { formatDateTime } from '#domain/time.ts'
import { type Context, example, LISTED_ID, wantsJson, withDatabase } from '#scripts/_context.ts'
import { printAnswer, toTable } from '#scripts/_terminal.ts'

export function addMessageCommands(program: Command, context: Context): void {
  const message = program.command('message').description('messages on scan pages')
  message
    .command('add')
    .description('show finders a message before the contact details')
    .argument('<title>', 'the heading')
    .argument('<content>', 'the text')
    .addHelpText('after', example('message add "Thank you" "One call is all it takes."'))
    .action((title, content, _options, command) => add(title, content, command, context))
  message
    .command('list')
    .description('list the messages, newest first')
    .addHelpText('after', example('message list'))
    .action((_options, command) => list(command, context))
  message
    .command('remove')
    .description('delete a message permanently')
    .addArgument(LISTED_ID)
    .addHelpText('after', example('message remove 3n7qk2c9h4tz'))
    .action((id, _options, command) => remove(id, command, context))
}

async function add(title: string, content: string, command: Command, context: Context) {
  await withDatabase(context, async ({ db, now }) => {
    const typed = { title: cleanLine(title), content: cleanText(content) }
    const made = await addAdminMessage(db, typed, COMMAND_LINE, now)
    const text = `Finders now see “${made.title}” (${made.id})`
    printAnswer(context.terminal, wantsJson(command), made, () => text)
  })
}

async function list(command: Command, context: Context) {
  await withDatabase(context, async ({ db, config }) => {
    const all = await listAdminMessages(db)
    const rows = all.map(({ id, title, is_active, created_at }) => [
      id,
      title,
      is_active ? 'active' : 'inactive',
      formatDateTime(created_at, config.timezone),
    ])
    printAnswer(context.terminal, wantsJson(command), all, () =>
      rows.length === 0
        ? 'There is no message yet. Add one with: message add TITLE CONTENT'
        : toTable(['ID', 'TITLE', 'STATE', 'ADDED'], rows),
    )
  })
}

async function remove(id: string, command: Command, context: Context) {
  await withDatabase(context, async ({ db, now }) => {
    const deleted = await deleteAdminMessage(db, id, COMMAND_LINE, now)
    const text = `“${deleted.title}” is deleted`
    printAnswer(context.terminal, wantsJson(command), deleted, () => text)
  })
}
