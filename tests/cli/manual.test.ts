import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openCommandLine } from '#tests/cli/support.ts'

const PAGES = readdirSync('docs', { encoding: 'utf8', recursive: true })
const MANUAL = ['README.md', ...PAGES.map((name) => `docs/${name}`)].filter((file) =>
  /^(?!docs\/site\/).*\.md$/.test(file),
)
const PREFIX =
  /(?:npm run (?:--silent )?driveqr --|docker compose exec .*?driveqr driveqr|docker (?:compose )?run .*?driveqr|^driveqr) ([a-z].*?)(?:`| +#|$)/gm

/** What the manual tells to type, as the words of the command and its options. */
const told = MANUAL.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(PREFIX)].map(([, typed = '']) => {
    const [line = ''] = typed.split(/ [<>|] /, 1)
    const words = line.split(' ')
    const end = words.findIndex((word) => !/^[a-z]+(-[a-z]+)?$/.test(word))
    const command = end < 0 ? words : words.slice(0, end)
    return { line, command, options: words.filter((word) => word.startsWith('--')) }
  }),
)

test('every command and option of the manual exists', async () => {
  const { run } = openCommandLine()
  expect(told.length).toBeGreaterThan(30)
  for (const { line, command, options } of told) {
    const { code, out } = await run([...command, '--help'])
    expect([line, code]).toEqual([line, 0])
    expect([line, out]).toEqual([line, expect.stringContaining(`Usage: driveqr ${command[0]}`)])
    for (const option of options)
      expect([line, out]).toEqual([line, expect.stringContaining(option)])
  }
})

test('the manual has an example of every command', async () => {
  const { run } = openCommandLine()
  const commandsIn = async (noun: string[]) => {
    const { out } = await run([...noun, '--help'])
    const [, list = ''] = out.split('Commands:\n')
    const names = [...list.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name)
    return names.filter((name) => name !== 'help')
  }
  for (const noun of await commandsIn([])) {
    const verbs = await commandsIn([noun])
    for (const command of verbs.length ? verbs.map((verb) => `${noun} ${verb}`) : [noun]) {
      const isTold = told.some(({ command: words }) => words.join(' ').startsWith(command))
      expect([command, isTold]).toEqual([command, true])
    }
  }
})

test('the manual has every setting, and no other', () => {
  const known = [...readFileSync('config.ts', 'utf8').matchAll(/\bread\w*\(\s*'([A-Z_]+)'/g)]
  const page = readFileSync('docs/settings.md', 'utf8')
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  const named = rows.flatMap((row) => (row.split('|')[1] ?? '').match(/[A-Z_]+/g) ?? [])
  expect(named.toSorted()).toEqual(known.map(([, name]) => name).toSorted())
})
