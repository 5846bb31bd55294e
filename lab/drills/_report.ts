import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, release } from 'node:os'
import type { Outcome } from '#lab/drills/_drill.ts'

export type Result = {
  name: string
  promise: string
  without: string
  isGood: boolean
  seconds: number
  skipped?: string
  kept?: Outcome
  controlled?: Outcome
}

const PAGE = 'docs/reliability.md'
const [BEGIN, END] = ['<!-- figures -->', '<!-- end of figures -->']

export function report({
  name,
  isGood,
  seconds,
  skipped,
  kept,
  without,
  controlled,
}: Result): void {
  console.log(
    `${isGood ? (skipped ? 'skipped' : 'kept') : 'BROKEN'}: ${name} (${seconds.toFixed(0)} s)`,
  )
  if (skipped) console.log(`  ${skipped}`)
  if (kept) console.log(`  ${kept.figure}`)
  if (controlled) console.log(`  control, ${without}: ${controlled.figure}`)
}

/** Writes the figures into the document, with the commit and the load. Rows of other drills stay. */
export function record(results: Result[], names: string[]): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const day = new Date().toISOString().slice(0, 10)
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Linux ${release()}`
  const written = `Rows of ${day} are from Node ${process.version} on ${machine}.`
  const [before = '', rest = ''] = readFileSync(PAGE, 'utf8').split(BEGIN)
  const [figures = '', after = ''] = rest.split(END)
  const rows = new Map(
    figures.split('\n').flatMap((line) => {
      const [, name] = /^\|[^|]*\| `([a-z0-9-]+)` \|/.exec(line) ?? []
      return name ? [[name, line] as const] : []
    }),
  )
  const measured = `${day} at ${commit}, load ${loadavg()[2]?.toFixed(0)}`
  for (const result of results) {
    rows.set(result.name, `| ${[...cells(result), measured].join(' | ')} |`)
  }
  const others = figures
    .split('\n')
    .filter((line) => line.startsWith('Rows of ') && !line.includes(day))
  const table = [HEAD, ...names.flatMap((name) => rows.get(name) ?? [])].join('\n')
  const text = [...others, written, '', table].join('\n')
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${text}\n\n${END}${after}`)
  console.log(`Written to ${PAGE}`)
}

const HEAD =
  '| Promise | Drill | Figure | The same without the guard | Measured |\n|---|---|---|---|---|'

function cells({ name, promise, without, skipped, kept, controlled }: Result): string[] {
  const figure = kept
    ? `${kept.isKept ? '' : '**Not kept.** '}${kept.figure}`
    : `Skipped: ${skipped}`
  return [promise, `\`${name}\``, figure, controlled ? `${without}: ${controlled.figure}` : without]
}
