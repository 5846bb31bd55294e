import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { toInstant } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import { START_FILE } from '#db/data-folder.ts'
import { writeDurably } from '#db/durable-file.ts'
import { countRows } from '#db/pages.ts'
import type { Instant } from '#db/schema.ts'

/** An address (`PUBLIC_URL`) of the codes that were made from this time on, until the next one. */
type Address = { publicUrl: string; since: Instant }
type Starts = { version: string; addresses: Address[] }
type Start = { version: string; publicUrl: string }

/** Codes that may have been printed with another address than the present one. */
export type PrintedElsewhere = { publicUrl: string; codes: number }

const MOST_ADDRESSES = 20

function readStarts(dataDir: string): Starts | undefined {
  const file = join(dataDir, START_FILE)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Starts) : undefined
}

/** Keeps the version and the address of a start. Returns the version of the last one, if it was another. */
export function noteStart(
  dataDir: string,
  { version, publicUrl }: Start,
  now: Date,
): string | undefined {
  const last = readStarts(dataDir)
  const known = last?.addresses ?? []
  const isKnown = known.at(-1)?.publicUrl === publicUrl
  if (isKnown && last?.version === version) return undefined
  const addresses = isKnown ? known : [...known, { publicUrl, since: toInstant(now) }]
  const starts: Starts = { version, addresses: addresses.slice(-MOST_ADDRESSES) }
  const file = join(dataDir, START_FILE)
  const draft = `${file}.new`
  rmSync(draft, { force: true })
  writeDurably(draft, JSON.stringify(starts))
  renameSync(draft, file)
  return last?.version === version ? undefined : last?.version
}

/** Counts the codes that were made under other addresses than this one, by address. */
export async function listPrintedElsewhere(
  db: DbOrTrx,
  dataDir: string,
  publicUrl: string,
): Promise<PrintedElsewhere[]> {
  const addresses = readStarts(dataDir)?.addresses ?? []
  const found = new Map<string, number>()
  for (const [n, each] of addresses.entries()) {
    if (each.publicUrl === publicUrl) continue
    const until = addresses[n + 1]?.since
    const made = db
      .selectFrom('qr_codes')
      // Those of before the first address that is known had it too.
      .$if(n > 0, (query) => query.where('created_at', '>=', each.since))
      .$if(until !== undefined, (query) => query.where('created_at', '<', until ?? ''))
    found.set(each.publicUrl, (found.get(each.publicUrl) ?? 0) + (await countRows(made)))
  }
  return [...found].flatMap(([url, codes]) => (codes > 0 ? [{ publicUrl: url, codes }] : []))
}
