import type { ActionDeps } from '#actions/deps.ts'
import { getAccount } from '#db/accounts/accounts.ts'
import type { Caller } from '#db/accounts/credentials.ts'
import type { Db } from '#db/client.ts'
import {
  beginExport,
  type Claim,
  claimExport,
  type Export,
  failExport,
  finishExport,
  forgetOldExports,
  hasExportWork,
  listExportIds,
  noteProgress,
  releaseExport,
} from '#db/exports/exports.ts'
import { rowsOf } from '#db/exports/rows.ts'
import { closedUntil } from '#db/families/reset-questions.ts'
import { KINDS } from '#db/tables/registry.ts'
import type { Kind, Row, Subject } from '#db/tables/table.ts'
import { EXPORT_README } from '#domain/accounts/export.ts'
import { DomainError } from '#domain/error.ts'
import { kindOfStoredName, unpackedName } from '#domain/papers/file-kind.ts'
import { removeExports, writeExport } from '#storage/exports.ts'

export type ExportDeps = Pick<ActionDeps, 'db' | 'clock' | 'files' | 'log'>

/** Looked for so often, because a server that was killed leaves one that another goes on with. */
const LOOK_EVERY_MS = 5_000
const NOTE_EVERY_MS = 1_000
/** The highest progress, in percent, of an export that is not done. */
const MOST_PROGRESS = 99

/** Looks at once in this process, if it makes exports. */
let lookNow = () => {}

/** Asks for an export, which is made in the background; one that runs goes on. */
export async function startExport(deps: ExportDeps, caller: Caller): Promise<Export> {
  const begun = await beginExport(deps.db, caller, deps.clock())
  lookNow()
  return begun
}

/**
 * Calls `make` now and at intervals to make the waiting exports and remove old ones. Returns a function that
 * stops it; another server or the next start then makes an interrupted export again.
 */
export function keepExporting(
  deps: ExportDeps,
  make = (signal: AbortSignal) => makeExports(deps, signal),
): () => Promise<void> {
  const { db, clock, log } = deps
  const stopping = new AbortController()
  let working = Promise.resolve()
  const look = async () => {
    if (stopping.signal.aborted || !(await hasExportWork(db, clock()))) return
    await make(stopping.signal)
  }
  const begin = () => {
    working = working.then(look).catch((err) => log.error({ err }, 'exports could not be made'))
  }
  lookNow = begin
  begin()
  const timer = setInterval(begin, LOOK_EVERY_MS).unref()
  return async () => {
    clearInterval(timer)
    lookNow = () => {}
    stopping.abort()
    await working
  }
}

/** Makes all exports that nobody is at, one after the other, and removes old ones. Resolves when none waits. */
export async function makeExports(deps: ExportDeps, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const claimed = await claimExport(deps.db, deps.clock())
    // With those that were replaced, and the file of one that came too late.
    if (!claimed) return removeOldExports(deps)
    await make(deps, claimed, signal)
  }
}

/** Removes exports that are too old, and the files of all that are gone; the next call those that it cannot. */
export async function removeOldExports({ db, clock, files, log }: ExportDeps): Promise<void> {
  await forgetOldExports(db, clock())
  await removeExports(files, () => listExportIds(db)).catch((err) => {
    log.error({ err }, 'files of exports left behind')
  })
}

/** Ends it where it is no longer wanted, because its account is gone or this server stops. */
class Unwanted extends Error {}

async function make(
  deps: ExportDeps,
  { account_id, ...taken }: Export,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { db, clock, files, log } = deps
  let claim: Claim = taken
  let notedAt = Number.NEGATIVE_INFINITY
  const advance = async (progress: number) => {
    if (signal?.aborted) throw new Unwanted()
    if (performance.now() - notedAt < NOTE_EVERY_MS) return
    notedAt = performance.now()
    const noted = await noteProgress(db, claim, Math.floor(progress), clock())
    if (!noted) throw new Unwanted()
    claim = noted
  }
  try {
    const account = await getAccount(db, account_id)
    const who = { ...account, closed: (await closedUntil(db, account_id)) ?? '' }
    const bytes = await writeExport(files, claim.id, {
      madeAt: clock(),
      fill: (add) => fill(deps, who, add, advance),
      see: () => advance(MOST_PROGRESS),
    })
    await finishExport(db, claim, bytes, clock())
  } catch (error) {
    if (error instanceof Unwanted) return void (await releaseExport(db, claim, clock()))
    // Its account went.
    if (error instanceof DomainError && error.kind === 'not_found') return
    log.error({ err: error }, 'an export failed')
    await failExport(db, claim, clock())
  }
}

type Add = Parameters<Parameters<typeof writeExport>[2]['fill']>[0]
type StoredFile = { name: string; path: string }

async function fill(
  { db, files: stored }: ExportDeps,
  who: Subject,
  add: Add,
  advance: (progress: number) => Promise<void>,
): Promise<void> {
  const files: StoredFile[] = []
  await add('README.txt', textOf(EXPORT_README))
  for (const kind of KINDS) {
    await add(`${kind.file}.json`, jsonOf(pages(db, kind, who, files, advance)))
  }
  const missing: string[] = []
  for (const [n, { name, path }] of files.entries()) {
    const content = await stored.whole(name)
    if (content)
      await add(
        path,
        watched(content, () => advance((100 * n) / files.length)),
        STORED,
      )
    else missing.push(path)
  }
  if (missing.length > 0) await add('missing.json', textOf(JSON.stringify(missing, null, 1)))
}

/** Documents and pictures are compressed already. */
const STORED = { packed: true }

async function* watched(content: AsyncIterable<Uint8Array>, see: () => Promise<void>) {
  for await (const piece of content) {
    yield piece
    await see()
  }
}

async function* pages(
  db: Db,
  kind: Kind,
  who: Subject,
  files: StoredFile[],
  advance: (progress: number) => Promise<void>,
): AsyncGenerator<Row[]> {
  for await (const rows of rowsOf(db, kind, who)) {
    await advance(0)
    yield rows.map((row) => named(row, kind.folder, files))
  }
}

/** In place of the name of a stored file a row says where the file is in the ZIP. */
function named({ stored_name, ...row }: Row, folder: string | undefined, files: StoredFile[]): Row {
  if (!folder || typeof stored_name !== 'string') return row
  const kind = kindOfStoredName(stored_name)
  if (!kind) return row
  const given = typeof row.file_name === 'string' ? row.file_name : `file.${kind}`
  const path = `${folder}/${files.length + 1}-${unpackedName(given, kind)}`
  files.push({ name: stored_name, path })
  return { ...row, file: path }
}

async function* textOf(text: string) {
  yield Buffer.from(text)
}

async function* jsonOf(pages: AsyncIterable<Row[]>) {
  let before = '[\n'
  for await (const rows of pages) {
    yield Buffer.from(before + rows.map((row) => JSON.stringify(row)).join(',\n'))
    before = ',\n'
  }
  yield Buffer.from(before === '[\n' ? '[]\n' : '\n]\n')
}
