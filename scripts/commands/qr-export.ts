import { once } from 'node:events'
import { closeSync, fsyncSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { COMMAND_LINE } from '#db/admin/audit-events.ts'
import { countAllCodes, exportCodes } from '#db/codes/qr-export.ts'
import { PAGE_ROWS } from '#db/pages.ts'
import { counted } from '#domain/number.ts'
import { openNew } from '#scripts/_code-sinks.ts'
import { type Context, example, wantsJson, withDatabase } from '#scripts/_context.ts'
import { notBlank } from '#scripts/_not-blank.ts'
import { assertTaken, printAnswer, startProgress } from '#scripts/_terminal.ts'

export function addQrExportCommand(qr: Command, context: Context): void {
  qr.command('export')
    .description('export all codes as CSV, like the admin page')
    .option('--csv <file>', 'the file to write (default: standard output)', notBlank)
    .addHelpText('after', example('qr export --csv ./codes.csv', 'qr export > codes.csv'))
    .action((options, command) => exportAll(options, command, context))
}

async function exportAll(
  { csv }: { csv?: string },
  command: Command,
  context: Context,
): Promise<void> {
  const { terminal } = context
  if (csv === undefined && wantsJson(command)) {
    command.error('error: --json needs --csv, because the codes go to standard output')
  }
  await withDatabase(context, async ({ db, now }) => {
    const count = await countAllCodes(db)
    const source = { db, actor: COMMAND_LINE, count }
    const exported = exportCodes(source, now)
    const isOnScreen = csv === undefined && terminal.out.isTTY
    const texts = isOnScreen ? exported : withProgress(exported, count, context)
    if (csv === undefined) {
      for await (const text of texts) {
        // A stream that has failed never drains.
        if (terminal.out.errored) break
        if (!terminal.out.write(text)) await once(terminal.out, 'drain')
      }
      assertTaken(terminal)
      return
    }
    const file = resolve(csv)
    await writeFile(file, texts)
    const words = () => `Wrote ${counted(count, 'code')} into ${file}`
    printAnswer(terminal, wantsJson(command), { count, file }, words)
  })
}

async function* withProgress(texts: AsyncIterable<string>, count: number, { terminal }: Context) {
  const progress = startProgress(terminal, count)
  let left = count
  for await (const text of texts) {
    yield text
    progress.advance(Math.min(PAGE_ROWS, left))
    left = Math.max(0, left - PAGE_ROWS)
  }
  progress.end()
}

async function writeFile(file: string, texts: AsyncIterable<string>): Promise<void> {
  const handle = openNew(file)
  try {
    // writeSync would hide a full disk by writing only a part.
    for await (const text of texts) writeFileSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
