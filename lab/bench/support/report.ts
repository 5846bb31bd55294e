import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** `ratio` is measured ÷ limit of the same run, or the measured figure where the budget is absolute. */
export type Row = {
  what: string
  measured: string
  limit: string
  ratio: number
  budget: { atLeast: number } | { atMost: number } | undefined
}

const RESULTS_FOLDER = 'lab/bench/results'

export function isKept({ ratio, budget }: Row): boolean {
  if (!budget) return true
  return 'atLeast' in budget ? ratio >= budget.atLeast : ratio <= budget.atMost
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

/** Prints the table and stores it as text and JSON in lab/bench/results. */
export function report(rows: Row[], seconds: number): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}`
  const date = new Date().toISOString()
  const heading = `DriveQR ${commit}, Node ${process.version}, ${machine}, ${date}, ${seconds.toFixed(0)} s`
  const table = toTable(rows)
  console.log(`\n${heading}\n\n${table}`)
  mkdirSync(RESULTS_FOLDER, { recursive: true })
  const name = `${RESULTS_FOLDER}/${date.slice(0, 19).replace(/[:T]/g, '-')}`
  writeFileSync(`${name}.md`, `${heading}\n\n${table}`)
  writeFileSync(`${name}.json`, JSON.stringify({ commit, machine, date, seconds, rows }, null, 2))
  console.log(`Written to ${name}.md`)
}

function toTable(rows: Row[]): string {
  const lines = rows.map((row) => [
    row.what,
    row.measured,
    row.limit,
    row.ratio.toFixed(row.ratio < 1 ? 3 : 2),
    budgetText(row),
  ])
  const all = [['What', 'Measured', 'Limit in this run', 'Ratio', 'Budget'], ...lines]
  const widths = all[0]?.map((_, i) => Math.max(...all.map((line) => line[i]?.length ?? 0))) ?? []
  const format = (line: string[]) =>
    `| ${line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return `${[format(all[0] ?? []), rule, ...all.slice(1).map(format)].join('\n')}\n`
}

function budgetText(row: Row): string {
  if (!row.budget) return '–'
  const bound = 'atLeast' in row.budget ? `≥ ${row.budget.atLeast}` : `≤ ${row.budget.atMost}`
  return `${bound} ${isKept(row) ? 'kept' : 'MISSED'}`
}
