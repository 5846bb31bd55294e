import { readSources } from '#tests/house/sources.ts'

/** A block of a document, and the reason in the comment above it why no test runs it. */
export type Block = { language: string; text: string; notRun: string | undefined }

const BLOCK = /^( *)(?:<!-- not run: ([^\n]+) -->\n *)?```(\w*)\n(.*?)^\1```$/gms

/** Returns the blocks of every document, by its path. */
export function listBlocks(): [path: string, blocks: Block[]][] {
  const documents = readSources().filter(({ path }) => path.endsWith('.md'))
  return documents.map(({ path, text }) => [path, blocksOf(text)])
}

export function blocksOf(text: string): Block[] {
  return Array.from(text.matchAll(BLOCK), ([, indent = '', notRun, language = '', lines = '']) => ({
    language,
    text: lines.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    notRun,
  }))
}

/** Commands that need more than the folder that they run in, whose lines are in places like /etc. */
const ELSEWHERE =
  /(?:^|[\s'"=>])\/(?!mnt\/usb|tmp\/drill)|\b(?:apt|docker|git|kubectl|su|sudo|systemctl)\b/m

/** Says whether the commands of a block would change the machine that runs them. */
export function reachesOutside({ text }: Block): boolean {
  return ELSEWHERE.test(text)
}

/** Commands that `tests/cli/manual-commands.test.ts` runs. */
export function isRun({ language, notRun }: Block): boolean {
  return language === 'sh' && notRun === undefined
}
