import type { Command } from 'commander'
import {
  addAdminMessage,
  deleteAdminMessage,
  listAdminMessages,
  setMessageText,
} from '#db/admin/admin-messages.ts'
import { COMMAND_LINE } from '#db/admin/audit-events.ts'
import { cleanLine, cleanText } from '#domain/text.ts'
import {
  type Answer,
  answering,
  type Context,
  example,
  type Installation,
  LISTED_ID,
} from '#scripts/_context.ts'
import { formatMomentIn, toTable } from '#scripts/_terminal.ts'

export function addMessageCommands(program: Command, context: Context): void {
  const message = program.command('message').description('messages on scan pages')
  message
    .command('add')
    .description('show finders a message before the contact details')
    .argument('<title>', 'the heading')
    .argument('<content>', 'the text')
    .addHelpText('after', example('message add "Thank you" "One call is all it takes."'))
    .action(answering(context, add))
  message
    .command('translate')
    .description('show the message with another text to finders who read a language')
    .addArgument(LISTED_ID)
    .argument('<lang>', 'such as hi or ur')
    .argument('<title>', 'the heading')
    .argument('<content>', 'the text; with both empty the language is removed')
    .addHelpText(
      'after',
      example('message translate 3n7qk2c9h4tz hi "धन्यवाद" "रविवार को हम बंद हैं।"'),
    )
    .action(answering(context, translate))
  message
    .command('list')
    .description('list the messages, newest first')
    .addHelpText('after', example('message list'))
    .action(answering(context, list))
  message
    .command('remove')
    .description('delete a message permanently')
    .addArgument(LISTED_ID)
    .addHelpText('after', example('message remove 3n7qk2c9h4tz'))
    .action(answering(context, remove))
}

async function add({ db, now }: Installation, title: string, content: string): Promise<Answer> {
  const typed = { title: cleanLine(title), content: cleanText(content) }
  const view = await addAdminMessage(db, typed, COMMAND_LINE, now)
  return { view, text: `Finders now see “${view.title}” (${view.id})` }
}

async function translate(
  { db, now }: Installation,
  id: string,
  lang: string,
  title: string,
  content: string,
): Promise<Answer> {
  const typed = { lang, title: cleanLine(title), content: cleanText(content) }
  const view = await setMessageText(db, id, typed, COMMAND_LINE, now)
  const languages = Object.keys(view.texts).join(', ') || 'no other language'
  return { view, text: `“${view.title}” has a text in ${languages}` }
}

async function list({ db, config }: Installation): Promise<Answer> {
  const view = await listAdminMessages(db)
  const rows = view.map(({ id, title, is_active, created_at }) => [
    id,
    title,
    is_active ? 'active' : 'inactive',
    formatMomentIn(config.terminalZone, created_at),
  ])
  return {
    view,
    text:
      rows.length === 0
        ? 'There is no message yet. Add one with: message add TITLE CONTENT'
        : toTable(['ID', 'TITLE', 'STATE', 'ADDED'], rows),
  }
}

async function remove({ db, now }: Installation, id: string): Promise<Answer> {
  const view = await deleteAdminMessage(db, id, COMMAND_LINE, now)
  return { view, text: `“${view.title}” is deleted` }
}
