import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { insertAccount } from '#db/accounts/accounts.ts'
import { insertDocument } from '#db/papers/document-uploads.ts'
import { loadSecretKey } from '#db/secrets.ts'
import { openDatabase } from '#db/sqlite/database.ts'
import { listStoredNames } from '#db/stored-files.ts'
import { makeBackup } from '#storage/backup/make.ts'
import { restoreBackup } from '#storage/backup/restore.ts'
import { openFileStore } from '#storage/files.ts'
import { insertCode } from '#tests/support/codes.ts'
import { makeQuickFolder } from '#tests/support/quick-folder.ts'

export const NOW = new Date('2026-11-20T10:00:00.000Z')
const URL = 'https://keys.example.in'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

export function temporaryFolder(): string {
  const folder = makeQuickFolder()
  folders.push(folder)
  return folder
}

/** A data folder in use: an account with a code, documents with their files, and a key. */
export async function openFolder({ documents = 2, name = 'Asha', bytes = 1000, at = '' } = {}) {
  const dataDir = at || join(temporaryFolder(), 'data')
  const { db, connection, close } = await openDatabase(dataDir)
  loadSecretKey(dataDir)
  const person = { name, email: `${name.toLowerCase()}@example.in`, password_hash: null }
  const account = await insertAccount(db, person, NOW)
  const { qr_id } = await insertCode(db, account.id, { owner_name: name })
  const files = openFileStore(dataDir)
  /** A document and its file, as an upload leaves them. */
  async function upload() {
    const path = files.newTemporary()
    writeFileSync(path, Buffer.alloc(bytes, Math.random().toString(36)))
    const [stored_name = ''] = await files.keep([{ path, kind: 'pdf' }])
    const sent = { file_name: 'a.pdf', file_size: bytes, content_type: 'application/pdf' }
    const kind = {
      document_type: 'insurance',
      document_side: null,
      is_public: false,
      expires_on: null,
    } as const
    const row = { ...kind, ...sent, stored_name, thumbnail_name: null, pdf_problem: null }
    return insertDocument(db, account, qr_id, row, new Date())
  }
  for (let n = 0; n < documents; n++) await upload()
  return { dataDir, db, connection, close, files, account, qr_id, upload }
}

export function backUp(dataDir: string, file = join(temporaryFolder(), 'backup.tar'), now = NOW) {
  return makeBackup({ dataDir, publicUrl: URL, now }, file, () => () => {})
}

export function restore(file: string, dataDir: string, replace = false) {
  return restoreBackup({ file, dataDir, replace, now: NOW }, () => () => {})
}

/** The contents to compare: rows, file names, files and their checksums. */
export async function contentsOf(dataDir: string) {
  const { db, close } = await openDatabase(dataDir)
  const [accounts, codes] = await Promise.all(
    (['accounts', 'qr_codes'] as const).map((table) => db.selectFrom(table).selectAll().execute()),
  )
  const documents = await db.selectFrom('documents').selectAll().orderBy('id').execute()
  const names = (await listStoredNames(db)).sort()
  await close()
  return { accounts, codes, documents, names, files: filesOf(dataDir), key: keyOf(dataDir) }
}

export function filesOf(dataDir: string): Record<string, string> {
  const folder = join(dataDir, 'files')
  const names = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile())
  const sums = names.sort().map((name) => [name, sumOf(join(folder, name))])
  return Object.fromEntries(sums)
}

const keyOf = (dataDir: string) => readFileSync(join(dataDir, 'secret.key'), 'hex')
const sumOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
