import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, release } from 'node:os'
import type { Outcome } from '#tests/drills/_drill.ts'

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

/** Writes the figures, with the commit and the machine, into the document. */
export function record(results: Result[], seconds: number): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const day = new Date().toISOString().slice(0, 10)
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Linux ${release()}, load average ${loadavg()[2]?.toFixed(0)}`
  const measured = `Measured on ${day} at commit ${commit} by \`npm run drills -- --record\` in ${seconds.toFixed(0)} seconds: Node ${process.version}, ${machine}.`
  const rows = results.map((result) => `| ${cells(result).join(' | ')} |`)
  const head = '| Promise | Drill | Figure | The same without the guard |\n|---|---|---|---|'
  const [before = '', rest = ''] = readFileSync(PAGE, 'utf8').split(BEGIN)
  const after = rest.slice(rest.indexOf(END) + END.length)
  const figures = [measured, '', head, ...rows].join('\n')
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${figures}\n\n${END}${after}`)
  console.log(`Written to ${PAGE}`)
}

function cells({ name, promise, without, skipped, kept, controlled }: Result): string[] {
  const figure = kept
    ? `${kept.isKept ? '' : '**Not kept.** '}${kept.figure}`
    : `Skipped: ${skipped}`
  return [promise, `\`${name}\``, figure, controlled ? `${without}: ${controlled.figure}` : without]
}
