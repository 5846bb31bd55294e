import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { blocksOf, isRun, listBlocks, reachesOutside } from '#tests/support/manual-blocks.ts'

/** Settings, answers and requests are no commands. */
const DATA = ['ini', 'json', 'http']
const MARK = /^ *<!-- not run: /gm

function faultsOf(text: string): string[] {
  const blocks = blocksOf(text)
  const marked = blocks.filter(({ notRun }) => notRun !== undefined)
  const unnamed = blocks.filter(({ language }) => !['sh', 'js', 'sql', ...DATA].includes(language))
  const untold = blocks.filter(
    ({ language, notRun }) => ['js', 'sql'].includes(language) && !notRun,
  )
  const data = marked.filter(({ language }) => DATA.includes(language))
  const lone = (text.match(MARK)?.length ?? 0) - marked.length
  return [
    ...unnamed.map((block) => `no language: ${block.text}`),
    ...untold.map((block) => `neither run nor marked: ${block.text}`),
    ...blocks
      .filter((block) => isRun(block) && reachesOutside(block))
      .map((block) => `changes the machine: ${block.text}`),
    ...data.map((block) => `marked, but no commands: ${block.text}`),
    ...(lone === 0 ? [] : ['a mark that is not above a block']),
  ]
}

// `tests/cli/manual-commands.test.ts` runs every block of a shell without a mark.
test('each block of a document has a language, and code that no test runs has the reason above it', () => {
  const documents = listBlocks()
  expect(documents.flatMap(([, blocks]) => blocks).length).toBeGreaterThan(60)
  for (const [path] of documents)
    expect([path, faultsOf(readFileSync(path, 'utf8'))]).toEqual([path, []])
})

test('a block without a language or a reason is found, and so is a lone mark', () => {
  const text =
    '1. a\n\n   ```\n   b\n   ```\n\n```sql\nc\n```\n\n<!-- not run: d -->\n\n```sh\ne > /etc/f\n```\n'
  expect(faultsOf(text)).toEqual([
    'no language: b\n',
    'neither run nor marked: c\n',
    'changes the machine: e > /etc/f\n',
    'a mark that is not above a block',
  ])
  const [block] = blocksOf('<!-- not run: it needs root -->\n```sh\nf\n```\n')
  expect(block).toEqual({ language: 'sh', text: 'f\n', notRun: 'it needs root' })
})
