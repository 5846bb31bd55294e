/** Reads the commands that docs/installing.md tells people to type. */
import { readFileSync } from 'node:fs'

const MANUAL = 'docs/installing.md'
/** A line of settings, which are no commands. */
const SETTING = /^[A-Z_]+=/

/** The blocks of commands of a section, each with its lines. */
export function commandsIn(section: string): string[] {
  return blocksIn(section).filter((block) => !SETTING.test(block))
}

/** The lines of settings of a section. */
export function settingsIn(section: string): string {
  return blocksIn(section)
    .filter((block) => SETTING.test(block))
    .join('')
}

function blocksIn(section: string): string[] {
  const manual = readFileSync(MANUAL, 'utf8')
  const [, text] = manual.split(`\n## ${section}\n`)
  if (text === undefined) throw new Error(`${MANUAL} has no section ${section}`)
  const [own = ''] = text.split('\n## ')
  // Those of a numbered step are indented.
  const found = own.matchAll(/^( *)```sh\n(.*?)^\1```$/gms)
  const blocks = Array.from(found, ([, , block = '']) => block.replace(/^ +/gm, ''))
  if (blocks.length === 0) throw new Error(`${MANUAL} has no commands in ${section}`)
  return blocks
}
