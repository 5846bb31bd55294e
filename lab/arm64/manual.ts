/** Reads the commands that the manual tells people to type on a Raspberry Pi. */
import { readFileSync } from 'node:fs'
import { blocksOf } from '#tests/support/manual-blocks.ts'

const MANUAL = ['docs/installing.md', 'docs/raspberry-pi.md']

/** The blocks of commands of a section, each with its lines. */
export function commandsIn(section: string): string[] {
  return blocksIn(section, 'sh')
}

/** The lines of settings of a section. */
export function settingsIn(section: string): string {
  return blocksIn(section, 'ini').join('')
}

function blocksIn(section: string, language: string): string[] {
  const manual = MANUAL.map((page) => `\n#${readFileSync(page, 'utf8')}`).join('')
  const [, text] = manual.split(`\n## ${section}\n`)
  if (text === undefined) throw new Error(`the manual has no section ${section}`)
  const [own = ''] = text.split('\n## ')
  const blocks = blocksOf(own).filter((block) => block.language === language)
  if (blocks.length === 0) throw new Error(`the manual has no commands in ${section}`)
  return blocks.map((block) => block.text)
}
