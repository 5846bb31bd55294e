/**
 * A process that uploads a document, or deletes one, and is killed just before its nth step on the
 * disk. It says each step that it takes; the last one is the one it died before.
 */
import fs from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { SqliteDriver } from 'kysely'
import { pino } from 'pino'

const [dataDir = '', act = '', qrId = '', dieBefore = '0'] = process.argv.slice(2)
let steps = 0

function step(name: string): void {
  if (++steps !== Number(dieBefore)) return
  fs.writeSync(1, name)
  process.kill(process.pid, 'SIGKILL')
}

// biome-ignore lint/suspicious/noExplicitAny: any function of any module
function stepsBefore(object: any, method: string, name = method): void {
  const original = object[method]
  object[method] = function (...given: unknown[]) {
    step(name)
    return original.apply(this, given)
  }
}

const probe = await promises.open('package.json')
stepsBefore(Object.getPrototypeOf(probe), 'sync')
await probe.close()
for (const method of ['rename', 'rm']) stepsBefore(promises, method)
for (const method of ['open', 'write']) stepsBefore(fs, method)
stepsBefore(SqliteDriver.prototype, 'commitTransaction', 'commit')
syncBuiltinESMExports()

const { openDatabase } = await import('#db/client.ts')
const { deleteDocument, listDocuments } = await import('#db/papers/documents.ts')
const { removeFiles } = await import('#routes/_http/stored-files.ts')
const { createRateLimits } = await import('#domain/rate-counters.ts')
const { uploadDocument } = await import('#actions/papers/uploads.ts')
const { openFileStore } = await import('#storage/files.ts')
const { fileForm, PDF } = await import('#tests/support/uploads.ts')

const { db } = await openDatabase(dataDir)
const rateLimits = createRateLimits({ rateLimits: false })
const files = openFileStore(dataDir)
const deps = { db, files, rateLimits, clock: () => new Date(), log: pino() }
const account = await db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow()
const raw = new Request('http://localhost/', {
  method: 'POST',
  body: fileForm(PDF, { document_type: 'insurance' }),
})
// What the two functions take of a context.
const context = { var: { deps, account }, req: { raw } } as unknown as Parameters<
  typeof removeFiles
>[0]

steps = 0
if (act === 'delete') {
  const [document] = await listDocuments(db, account, qrId)
  await removeFiles(context, await deleteDocument(db, account.id, document?.id ?? ''))
} else await uploadDocument(context, account, qrId)
fs.writeSync(1, 'survived')
process.exit(0)
