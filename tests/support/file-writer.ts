/**
 * A process that uploads or deletes a document, begins a conversation with a photo, takes a code over, or imports
 * a table, and is killed just before its nth step on the disk. It prints each step; the last one was not done.
 */
import fs from 'node:fs'
import promises from 'node:fs/promises'
import { flushCompileCache, syncBuiltinESMExports } from 'node:module'
import { PostgresDriver, SqliteDriver } from 'kysely'
import { pino } from 'pino'
import type { ActionDeps } from '#actions/deps.ts'

const [dataDir = '', databaseUrl = '', act = '', qrId = '', dieBefore = '0', token = ''] =
  process.argv.slice(2)
let steps = 0

function step(name: string): void {
  if (++steps !== Number(dieBefore)) return
  fs.writeSync(1, name)
  process.kill(process.pid, 'SIGKILL')
}

const always = (..._: unknown[]) => true

// biome-ignore lint/suspicious/noExplicitAny: any function of any module
function stepsBefore(object: any, method: string, name = method, isStep = always): void {
  const original = object[method]
  object[method] = function (...given: unknown[]) {
    if (isStep(...given)) step(name)
    return original.apply(this, given)
  }
}

const probe = await promises.open('package.json')
stepsBefore(Object.getPrototypeOf(probe), 'sync')
stepsBefore(Object.getPrototypeOf(probe), 'writeFile', 'write')
await probe.close()
for (const method of ['rename', 'rm']) stepsBefore(promises, method)
// Opening a file to read it or to flush it changes nothing.
stepsBefore(promises, 'open', 'open', (_path, flags) => flags === 'wx')
for (const driver of [SqliteDriver, PostgresDriver]) {
  stepsBefore(driver.prototype, 'commitTransaction', 'commit')
}
syncBuiltinESMExports()

const { deleteDocument, listDocuments } = await import('#db/papers/documents.ts')
const { removeStoredFiles } = await import('#actions/papers/files.ts')
const { uploadDocument } = await import('#actions/papers/uploads.ts')
const { readHeader, readImportRow } = await import('#domain/fleets/import-rows.ts')
const { importQrCodes } = await import('#db/fleets/imports.ts')
const { takeOver } = await import('#actions/transfers/transfers.ts')
const { startConversation } = await import('#actions/conversations/conversations.ts')
const { openOutbox } = await import('#db/outbox.ts')
const { loadSecretKey } = await import('#db/secrets.ts')
const { readFirstMessage } = await import('#domain/conversations/message.ts')
const { IMAGE_FILES } = await import('#domain/papers/file-kind.ts')
const { openFileStore } = await import('#storage/files.ts')
const { withUpload } = await import('#storage/uploads.ts')
const { senderFrom } = await import('#tests/support/conversations.ts')
const { openPlace } = await import('#tests/support/shared-database.ts')
const { fileForm, PDF, photoForm, picture } = await import('#tests/support/uploads.ts')
// For the next process: this one may be killed.
flushCompileCache()

const { db } = await openPlace([dataDir, databaseUrl])
const files = openFileStore(dataDir)
const [clock, secretKey] = [() => new Date(), loadSecretKey(dataDir)]
// The dependencies of the actions.
const deps = {
  db,
  files,
  clock,
  log: pino(),
  secretKey,
  config: {
    rateLimits: true,
    publicUrl: 'https://keys.example.in',
    timezone: 'Asia/Kolkata',
    defaultContactMode: 'public',
  },
  // No sender runs.
  outbox: openOutbox(db, secretKey, clock, true),
} as unknown as ActionDeps
const account = await db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow()
const isPhoto = act === 'photo'
const raw = new Request('http://localhost/', {
  method: 'POST',
  body: isPhoto ? photoForm(await picture()) : fileForm(PDF, { document_type: 'insurance' }),
})
const sent = {
  headers: raw.headers,
  body: (raw.body ?? new Blob().stream()).values({ preventCancel: true }),
  account: account.id,
  name: isPhoto ? 'photo' : 'file',
  begin() {},
}

steps = 0
if (act === 'delete') {
  const [document] = await listDocuments(db, account, qrId)
  const deleted = await deleteDocument(db, account, document?.id ?? '', new Date())
  await removeStoredFiles(deps, deleted)
} else if (isPhoto) {
  const { message, problem } = readFirstMessage({ reason: 'found' })
  if (!message) throw new Error(problem.field)
  await withUpload(files, IMAGE_FILES, sent, (photo) =>
    startConversation(deps, { qrId, message, photo, sender: senderFrom('sender'), lang: 'en' }),
  )
} else if (act === 'transfer') {
  const { id, account_id: accountId } = await db
    .selectFrom('sessions')
    .select(['id', 'account_id'])
    .executeTakeFirstOrThrow()
  const fields = { owner_name: 'Meenakshi Pillai', contact_phone: '98190 00482' }
  const caller = { accountId, credential: { kind: 'session', id } } as const
  await takeOver(deps, caller, { token, fields })
} else if (act === 'import') {
  const { header, problems } = readHeader(['owner_name', 'contact_phone'])
  const rows = Array.from({ length: 60 }, (_, n) => {
    return readImportRow(header, [`Driver ${n}`, '9876543210'], n + 2)
  })
  const table = { problems, rows: rows.filter((row) => row !== undefined) }
  const making = { now: clock(), contactMode: 'public', secretKey } as const
  await importQrCodes(db, account.id, table, 'error', making)
} else await uploadDocument(deps, account, { qrId }, () => sent)
fs.writeSync(1, 'survived')
process.exit(0)
