/** Reads the commands that the manual tells people to type on a Raspberry Pi. */
import { readFileSync } from 'node:fs'

const MANUAL = ['docs/installing.md', 'docs/raspberry-pi.md']
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
  const manual = MANUAL.map((page) => `\n#${readFileSync(page, 'utf8')}`).join('')
  const [, text] = manual.split(`\n## ${section}\n`)
  if (text === undefined) throw new Error(`the manual has no section ${section}`)
  const [own = ''] = text.split('\n## ')
  // Those of a numbered step are indented.
  const found = own.matchAll(/^( *)```sh\n(.*?)^\1```$/gms)
  const blocks = Array.from(found, ([, , block = '']) => block.replace(/^ +/gm, ''))
  if (blocks.length === 0) throw new Error(`the manual has no commands in ${section}`)
  return blocks
}
