import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { openTestApp } from '#tests/support/app.ts'
import { answerTo, PRINCIPALS, type Principal } from '#tests/support/principals.ts'
import { KINDS } from '#tests/support/sharing.ts'

/** A row of the documented table: a call, and the answer to each caller. */
type Row = { call: string; answers: string[] }
export type Section = { title: string; rows: Row[] }

export const CALLERS = Object.keys(PRINCIPALS) as Principal[]
const headerOf = (callers: readonly string[]) => `| what | ${callers.join(' | ')} |`

/** The documented tables of some callers, by section: by default of all accounts on things of their own. */
export function readSections(callers: readonly string[] = CALLERS): Section[] {
  const pages = readdirSync('docs/authorisation').map((page) =>
    readFileSync(`docs/authorisation/${page}`, 'utf8'),
  )
  const parts = pages.flatMap((page) => page.split(/^## /m).slice(1))
  const isOfThese = (part: string) => part.includes(headerOf(callers))
  expect(
    parts.filter((part) => ![CALLERS, KINDS].some((all) => part.includes(headerOf(all)))),
  ).toEqual([])
  return parts.filter(isOfThese).map((part) => {
    const rows = [...part.matchAll(/^\| `([A-Z]+ \/[^`]*)` \| (.*) \|$/gm)]
    const title = part.slice(0, part.indexOf('\n'))
    return { title, rows: rows.map(([, call = '', cells = '']) => toRow(call, cells)) }
  })
}

function toRow(call: string, cells: string): Row {
  return { call, answers: cells.split(' | ') }
}

/** An application without rate limits. */
export function openUncounted(options: { now?: string } = {}) {
  return openTestApp({ ...options, env: { RATE_LIMITS: 'off' } })
}

/** Makes every call of a section as every caller. Fails with the rows that differ. */
export async function expectAsWritten({ rows }: Section): Promise<void> {
  const app = await openUncounted()
  for (const { call, answers } of rows) {
    const given: string[] = []
    for (const who of CALLERS) given.push(await answerTo(app, who, call))
    expect([call, ...given]).toEqual([call, ...answers])
  }
}
