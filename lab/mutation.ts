/**
 * `node lab/mutation.ts [FOLDER --seed=N --files=a,b --mutants=N]`: changes sixty conditions in ten product
 * files, one at a time, in a copy of a checkout, and counts the changes that the tests of the same noun find.
 * To compare two checkouts, give both the seed and the files that the first run prints.
 */
import { execFileSync, type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parseAst } from 'rolldown/parseAst'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    files: { type: 'string' },
    mutants: { type: 'string', default: '60' },
  },
})
const FILES = 10
/** A file with fewer places says little about its tests. */
const FEWEST_PLACES = 6
const SOURCE = /^(?:domain|db|actions|routes\/_http)\/([a-z-]+)\/[^/]+\.tsx?$/

type Mutant = { file: string; start: number; end: number; instead: string; line: number }

/** The operators that are exchanged. */
const SWAPS: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
}

const random = randomBy(Number(values.seed))
const [checkout = '.'] = positionals
const folder = copyOf()
try {
  const files = values.files?.split(',') ?? chooseFiles()
  console.log(`--seed=${values.seed} --files=${files.join(',')}\n`)
  const nouns = new Map(files.map((file) => [nounOf(file), file]))
  const longestMs = new Map([...nouns].map(([noun, file]) => [noun, 5 * measureTests(file)]))
  report(chooseMutants(files).map((mutant) => isKilled(mutant, longestMs.get(nounOf(mutant.file)))))
} finally {
  rmSync(folder, { recursive: true })
}

/** Copies the last commit of the checkout, which shares its packages and its build with the copy. */
function copyOf(): string {
  const copy = mkdtempSync(join(tmpdir(), 'driveqr-mutation-'))
  const archive = execFileSync('git', ['-C', checkout, 'archive', 'HEAD'], { maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', copy], { input: archive })
  for (const shared of ['node_modules', 'dist']) {
    symlinkSync(resolve(checkout, shared), join(copy, shared))
  }
  return copy
}

function nounOf(file: string): string {
  return SOURCE.exec(file)?.[1] ?? ''
}

/** Lists the folders of a noun's tests, the fastest first. */
function testsOf(noun: string): string[] {
  const folders = ['rules', 'db', 'http'].map((room) => `tests/${room}/${noun}`)
  return folders.filter((each) => existsSync(join(folder, each)))
}

function chooseFiles(): string[] {
  const listed = execFileSync('git', ['-C', checkout, 'ls-files'], { encoding: 'utf8' })
  const files = listed.split('\n').filter((file) => SOURCE.test(file))
  const tested = files.filter((file) => testsOf(nounOf(file)).length > 0)
  return shuffle(tested)
    .filter((file) => placesIn(file).length >= FEWEST_PLACES)
    .slice(0, FILES)
}

/** Chooses as many places of each file as there are for it, in the order of the files. */
function chooseMutants(files: string[]): Mutant[] {
  const most = Math.ceil(Number(values.mutants) / files.length)
  return files.flatMap((file) => shuffle(placesIn(file)).slice(0, most))
}

type Node = {
  type?: string
  start: number
  end: number
  operator?: string
  test?: Node
  argument?: Node
  left?: Node
  right?: Node
  callee?: { type?: string; object?: Node; property?: { name?: string } }
  body?: { type?: string; body?: Node[] }
}

/** Lists every change that can be made to a file, by its syntax. */
function placesIn(file: string): Mutant[] {
  const text = readFileSync(join(folder, file), 'utf8')
  const found: Mutant[] = []
  const add = (start: number, end: number, instead: string) => {
    found.push({ file, start, end, instead, line: text.slice(0, start).split('\n').length })
  }
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const node = value as Node
    change(node, (part) => text.slice(part.start, part.end), add)
    Object.values(node).forEach(visit)
  }
  visit(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file))
  return found
}

function change(
  { type, start, end, operator = '', test, argument, left, right, callee, body }: Node,
  textOf: (part: Node) => string,
  add: (start: number, end: number, instead: string) => void,
): void {
  if ((type === 'IfStatement' || type === 'ConditionalExpression') && test) {
    add(test.start, test.end, `!(${textOf(test)})`)
  }
  if (type === 'UnaryExpression' && operator === '!' && argument) add(start, end, textOf(argument))
  const swapped = SWAPS[operator]
  if (swapped && left && right) {
    const between = textOf({ start: left.end, end: right.start })
    add(left.end, right.start, between.replace(operator, swapped))
  }
  if (type === 'CallExpression' && callee?.property?.name === 'where' && callee.object) {
    add(start, end, textOf(callee.object))
  }
  const [first] = body?.body ?? []
  if (type === 'FunctionDeclaration' && first) add(first.start, first.start, 'return undefined\n')
}

function isKilled({ file, start, end, instead, line }: Mutant, timeout?: number): boolean {
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.slice(0, start) + instead + text.slice(end))
  const killed = !passes(file, { stdio: 'ignore', timeout })
  writeFileSync(path, text)
  const before = text.slice(start, end).replaceAll(/\s+/g, ' ').slice(0, 60)
  console.log(
    `${killed ? 'killed  ' : 'survived'} ${file}:${line} ${before} → ${instead.slice(0, 60).trim()}`,
  )
  return killed
}

/** Returns how long the tests of a file take in ms. Throws when they fail without any change. */
function measureTests(file: string): number {
  const startedAt = performance.now()
  const isGood = passes(file, { stdio: ['ignore', 'ignore', 'inherit'] })
  if (isGood) return Math.ceil(performance.now() - startedAt)
  throw new Error(`The tests of ${file} fail without any change`)
}

/** Runs the tests of a file's noun up to the first failure. A run that does not end counts as failed. */
function passes(file: string, options: SpawnSyncOptions): boolean {
  return testsOf(nounOf(file)).every((tests) => {
    const args = ['node_modules/.bin/vitest', 'run', tests, '--bail=1', '--testTimeout=60000']
    return spawnSync(process.execPath, args, { ...options, cwd: folder }).status === 0
  })
}

function report(results: boolean[]): void {
  const killed = results.filter(Boolean).length
  const percent = ((killed / results.length) * 100).toFixed(1)
  console.log(`\n${killed} of ${results.length} killed: ${percent} %`)
}

/** Returns numbers from 0 to 1 that depend on the seed alone (mulberry32). */
function randomBy(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function shuffle<T>(list: T[]): T[] {
  return list
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
