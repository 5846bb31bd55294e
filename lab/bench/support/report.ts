import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'

type Budget = { atLeast: number } | { atMost: number }
/** `ratio` is measured ÷ limit of the same run, or the measured figure where the budget is absolute. */
export type Row = { what: string; measured: string; limit: string; ratio: number; budget?: Budget }

const RESULTS_FOLDER = 'lab/bench/results'

export function isKept({ ratio, budget }: Row): boolean {
  if (!budget) return true
  return 'atLeast' in budget ? ratio >= budget.atLeast : ratio <= budget.atMost
}

/** Returns a row with an absolute figure. */
export function toRow(what: string, value: number, unit: string, budget?: Budget): Row {
  const measured = `${value.toFixed(1)} ${unit}`
  return { what: `${what}, ${unit}`, measured, limit: '–', ratio: value, budget }
}

/** Returns a row that compares two times in milliseconds. */
export function toRatio(what: string, ours: number, theirs: number, budget?: Budget): Row {
  const ms = (value: number) => `${value.toFixed(1)} ms`
  return { what, measured: ms(ours), limit: ms(theirs), ratio: ours / theirs, budget }
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

/** Returns the median of the rounds' ratios, because a slow second affects both sides of a round. */
export function medianRatio(ours: number[], theirs: number[]): number {
  return median(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)))
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** Prints the table and stores it as text and JSON. */
export function report(rows: Row[], seconds: number): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}`
  const date = new Date().toISOString()
  const heading = `DriveQR ${commit}, Node ${process.version}, ${machine}, ${date}, ${seconds.toFixed(0)} s`
  const table = tableOf([
    ['What', 'Measured', 'Limit in this run', 'Ratio', 'Budget'],
    ...rows.map((row) => [
      row.what,
      row.measured,
      row.limit,
      row.ratio.toFixed(row.ratio < 1 ? 3 : 2),
      budgetText(row),
    ]),
  ])
  console.log(`\n${heading}\n\n${table}`)
  mkdirSync(RESULTS_FOLDER, { recursive: true })
  const name = `${RESULTS_FOLDER}/${date.slice(0, 19).replace(/[:T]/g, '-')}`
  writeFileSync(`${name}.md`, `${heading}\n\n${table}`)
  writeFileSync(`${name}.json`, JSON.stringify({ commit, machine, date, seconds, rows }, null, 2))
  console.log(`Written to ${name}.md`)
}

/** Returns a table in Markdown, whose columns are aligned. */
export function tableOf([heading = [], ...lines]: string[][]): string {
  const widths = heading.map((_, i) =>
    Math.max(...[heading, ...lines].map((line) => line[i]?.length ?? 0)),
  )
  const format = (line: string[]) =>
    `| ${line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return `${[format(heading), rule, ...lines.map(format)].join('\n')}\n`
}

function budgetText(row: Row): string {
  if (!row.budget) return '–'
  const bound = 'atLeast' in row.budget ? `≥ ${row.budget.atLeast}` : `≤ ${row.budget.atMost}`
  return `${bound} ${isKept(row) ? 'kept' : 'MISSED'}`
}
