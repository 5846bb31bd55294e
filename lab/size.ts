/** `npm run size [-- FOLDER]`: prints the structural figures of a checkout, this one unless a folder is given. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { tableOf } from '#lab/bench/support/report.ts'
import { findStumbles } from '#tests/house/english.ts'
import type { Source } from '#tests/house/sources.ts'

const [folder = '.'] = process.argv.slice(2)
const sources: Source[] = execFileSync('git', ['-C', folder, 'ls-files', '*.ts', '*.tsx'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter(Boolean)
  .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))

const isTest = ({ path }: Source) => path.startsWith('tests/')
/** Before `lab` there was `bench`, and the drills were tests. */
const isLab = ({ path }: Source) => /^(?:lab|bench)\//.test(path)
const isLocale = ({ path }: Source) => /^locales\/|^domain\/languages\/\w\w\//.test(path)
const product = sources.filter((each) => !isTest(each) && !isLab(each) && !isLocale(each))
const routes = product.filter(({ path }) =>
  /^routes\/(?!_http\/|_admin\/)(?:.+\/)?[^_/][^/]*$/.test(path),
)
const queries = product.filter(
  ({ path }) => path.startsWith('db/') && !/^db\/(?:schema\.ts$|migrations\/)/.test(path),
)
const functions = product.flatMap(functionsOf)

process.stdout.write(
  tableOf([
    ['Figure', 'Value'],
    ['Product, lines', String(sum(product))],
    ['Tests, lines', String(sum(sources.filter(isTest)))],
    ['Lab, lines', String(sum(sources.filter(isLab)))],
    ['Route files, lines: median, p90, max', spread(routes.map(linesOf))],
    ['Functions, lines: median, p90, max', spread(functions.map(({ lines }) => lines))],
    ['Longest function', longest(functions)],
    [
      'Largest file of queries, lines',
      longest(queries.map((each) => ({ name: each.path, lines: linesOf(each) }))),
    ],
    [
      'Files in routes/_http',
      String(product.filter(({ path }) => path.startsWith('routes/_http/')).length),
    ],
    [
      'Comments and names against the rules for English',
      String(sources.flatMap(findStumbles).length),
    ],
  ]),
)

function linesOf({ text }: Source): number {
  return text.split('\n').length - 1
}

function sum(of: Source[]): number {
  return of.reduce((lines, each) => lines + linesOf(each), 0)
}

type Measured = { name: string; lines: number }

function longest(of: Measured[]): string {
  const { name, lines } = of.reduce((most, each) => (each.lines > most.lines ? each : most))
  return `${lines} (${name})`
}

function spread(lines: number[]): string {
  const sorted = lines.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)]
  return `${at(0.5)}, ${at(0.9)}, ${at(1)}`
}

/** Returns the declared functions of a file, nested ones too. */
function functionsOf({ path, text }: Source): Measured[] {
  const lang = path.endsWith('x') ? 'tsx' : 'ts'
  const found: Measured[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, start, end, id } = node as Node
    if (type === 'FunctionDeclaration') {
      const lines = text.slice(start, end).split('\n').length
      found.push({ name: `${id?.name ?? 'anonymous'} in ${path}`, lines })
    }
    Object.values(node).forEach(visit)
  }
  visit(parseAst(text, { lang }, path))
  return found
}

type Node = {
  type?: string
  start: number
  end: number
  id?: { name?: string } | null
}
