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

/** Short, because this server takes over the export of a server that was killed. */
const POLL_INTERVAL_MS = 5_000
const PROGRESS_INTERVAL_MS = 1_000
/** The highest progress, in percent, of an export that is not done. */
const MAX_UNFINISHED_PROGRESS = 99

/** Makes waiting exports at once, if this process makes exports. */
let pollNow = () => {}

/** Requests an export, which is made in the background. Returns the running one if there is one. */
export async function startExport(deps: ExportDeps, caller: Caller): Promise<Export> {
  const begun = await beginExport(deps.db, caller, deps.clock())
  pollNow()
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
  const poll = async () => {
    if (stopping.signal.aborted || !(await hasExportWork(db, clock()))) return
    await make(stopping.signal)
  }
  const begin = () => {
    working = working.then(poll).catch((err) => log.error({ err }, 'exports could not be made'))
  }
  pollNow = begin
  begin()
  const timer = setInterval(begin, POLL_INTERVAL_MS).unref()
  return async () => {
    clearInterval(timer)
    pollNow = () => {}
    stopping.abort()
    await working
  }
}

/** Makes all waiting exports that no server works on, one after another, and then removes old ones. */
export async function makeExports(deps: ExportDeps, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const claimed = await claimExport(deps.db, deps.clock())
    // Also removes replaced exports, and the file of one that was finished too late.
    if (!claimed) return removeOldExports(deps)
    await make(deps, claimed, signal)
  }
}

/** Removes exports that are too old, and files without an export. Logs a failure: the next call tries again. */
export async function removeOldExports({ db, clock, files, log }: ExportDeps): Promise<void> {
  await forgetOldExports(db, clock())
  await removeExports(files, () => listExportIds(db)).catch((err) => {
    log.error({ err }, 'files of exports left behind')
  })
}

/** Ends the work on an export whose account is gone, or when this server stops. */
class Cancelled extends Error {}

async function make(
  deps: ExportDeps,
  { account_id, ...firstClaim }: Export,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { db, clock, files, log } = deps
  let claim: Claim = firstClaim
  let savedAt = Number.NEGATIVE_INFINITY
  const advance = async (progress: number) => {
    if (signal?.aborted) throw new Cancelled()
    if (performance.now() - savedAt < PROGRESS_INTERVAL_MS) return
    savedAt = performance.now()
    const renewed = await noteProgress(db, claim, Math.floor(progress), clock())
    if (!renewed) throw new Cancelled()
    claim = renewed
  }
  try {
    const account = await getAccount(db, account_id)
    const subject = { ...account, closed: (await closedUntil(db, account_id)) ?? '' }
    const bytes = await writeExport(files, claim.id, {
      madeAt: clock(),
      fill: (add) => fill(deps, subject, add, advance),
      onProgress: () => advance(MAX_UNFINISHED_PROGRESS),
    })
    await finishExport(db, claim, bytes, clock())
  } catch (error) {
    if (error instanceof Cancelled) return void (await releaseExport(db, claim, clock()))
    // The account was deleted meanwhile.
    if (error instanceof DomainError && error.kind === 'not_found') return
    log.error({ err: error }, 'an export failed')
    await failExport(db, claim, clock())
  }
}

type Add = Parameters<Parameters<typeof writeExport>[2]['fill']>[0]
type StoredFile = { name: string; path: string }

async function fill(
  { db, files: stored }: ExportDeps,
  subject: Subject,
  add: Add,
  advance: (progress: number) => Promise<void>,
): Promise<void> {
  const files: StoredFile[] = []
  await add('README.txt', textOf(EXPORT_README))
  for (const kind of KINDS) {
    await add(`${kind.file}.json`, jsonOf(pages(db, kind, subject, files, advance)))
  }
  const missing: string[] = []
  for (const [n, { name, path }] of files.entries()) {
    const content = await stored.whole(name)
    if (content)
      await add(
        path,
        callPerPiece(content, () => advance((100 * n) / files.length)),
        STORED,
      )
    else missing.push(path)
  }
  if (missing.length > 0) await add('missing.json', textOf(JSON.stringify(missing, null, 1)))
}

/** Documents and pictures are compressed already. */
const STORED = { packed: true }

async function* callPerPiece(content: AsyncIterable<Uint8Array>, onPiece: () => Promise<void>) {
  for await (const piece of content) {
    yield piece
    await onPiece()
  }
}

async function* pages(
  db: Db,
  kind: Kind,
  subject: Subject,
  files: StoredFile[],
  advance: (progress: number) => Promise<void>,
): AsyncGenerator<Row[]> {
  for await (const rows of rowsOf(db, kind, subject)) {
    await advance(0)
    yield rows.map((row) => withPath(row, kind.folder, files))
  }
}

/** Adds the stored file of a row to `files`. Returns the row with the file's path in the ZIP instead of its stored name. */
function withPath(
  { stored_name, ...row }: Row,
  folder: string | undefined,
  files: StoredFile[],
): Row {
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
