import type { Command } from 'commander'
import type { Setting } from '#config.ts'
import { describeMisspelt } from '#domain/setting-names.ts'
import { type Context, example, wantsJson } from '#scripts/_context.ts'
import { printAnswer, toTable } from '#scripts/_terminal.ts'

export function addConfigCommand(program: Command, context: Context): void {
  program
    .command('config')
    .description('print the settings in force and where each is from; secrets are hidden')
    .addHelpText('after', example('config'))
    .action((_options, command) => printConfig(command, context))
}

function printConfig(command: Command, context: Context): void {
  const { settings, misspelt } = context.readConfig()
  const shown = settings
    .map((setting) => ({ name: setting.name, value: shownValue(setting), from: setting.from }))
    .sort((a, b) => a.name.localeCompare(b.name))
  const names = misspelt.map(({ name }) => name)
  printAnswer(context.terminal, wantsJson(command), { settings: shown, unknown: names }, () =>
    [
      toTable(
        ['NAME', 'VALUE', 'FROM'],
        shown.map(({ name, value, from }) => [name, value, from]),
      ),
      ...(names.length > 0 ? ['', describeMisspelt(misspelt)] : []),
    ].join('\n'),
  )
}

function shownValue({ value, from, isSecret }: Setting): string {
  return isSecret && from !== 'default' ? '(hidden)' : value
}
