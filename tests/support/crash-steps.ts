import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { insertAccount } from '#db/accounts/accounts.ts'
import { insertDocument } from '#db/papers/document-uploads.ts'
import { openDatabase } from '#db/sqlite/database.ts'
import { listStoredNames } from '#db/stored-files.ts'
import { openFileStore } from '#storage/files.ts'
import { insertCode } from '#tests/support/codes.ts'
import { makeQuickFolder } from '#tests/support/quick-folder.ts'
import { filesIn } from '#tests/support/uploads.ts'

const AN_HOUR_MS = 60 * 60 * 1000

export async function openFolder({ withDocument = false } = {}) {
  const dataDir = makeQuickFolder()
  const { db, close } = await openDatabase(dataDir)
  const person = { name: 'Asha', email: 'asha@example.in', password_hash: null }
  const account = await insertAccount(db, person, new Date())
  const { qr_id } = await insertCode(db, account.id)
  if (withDocument) await insertDocument(db, account, qr_id, await keepFiles(dataDir), new Date())
  await close()
  return { dataDir, qr_id }
}

/** A picture and its thumbnail, as far as files and rows go. */
async function keepFiles(dataDir: string) {
  const files = openFileStore(dataDir)
  const paths = [files.newTemporary(), files.newTemporary()]
  for (const path of paths) writeFileSync(path, 'picture')
  const [stored_name = '', thumbnail_name = ''] = await files.keep(
    paths.map((path) => ({ path, kind: 'jpg' as const })),
  )
  const type = {
    document_type: 'insurance',
    document_side: null,
    is_public: false,
    expires_on: null,
  } as const
  const sent = { file_name: 'a.jpg', file_size: 7, content_type: 'image/jpeg' }
  return { ...type, ...sent, stored_name, thumbnail_name }
}

type Folder = Awaited<ReturnType<typeof openFolder>>

/** Resolves with the step that the process died before, or `survived`. */
export function run({ dataDir, qr_id }: Folder, act: string, dieBefore: number): Promise<string> {
  const args = ['tests/support/file-writer.ts', dataDir, act, qr_id, String(dieBefore)]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, (error, stdout, stderr) =>
      error && error.signal !== 'SIGKILL' ? reject(new Error(stderr)) : resolve(stdout),
    )
  })
}

/** Sweeps as a start does, more than an hour later, then lists rows and files. */
export async function startAgain({ dataDir }: Pick<Folder, 'dataDir'>, sweeps: boolean) {
  const { db, close } = await openDatabase(dataDir)
  const later = new Date(Date.now() + 2 * AN_HOUR_MS)
  const files = openFileStore(dataDir)
  const swept = sweeps ? await files.sweep(() => listStoredNames(db), later) : undefined
  const rows = await listStoredNames(db)
  await close()
  const { stored, incoming } = filesIn({ dataDir })
  return {
    missing: swept?.missing ?? [],
    rows: rows.toSorted(),
    stored: stored.toSorted(),
    incoming,
  }
}

/** What a start found after a process had died before this step. */
export type Death = Awaited<ReturnType<typeof startAgain>> & { step: string }

/** Dies before the first step, the second, and so on, until there is no further step. */
export async function dieAtEachStep(
  act: 'upload' | 'delete' | 'photo',
  { sweeps = true } = {},
): Promise<Death[]> {
  const deaths: Death[] = []
  for (;;) {
    const batch = [1, 2, 3].map(async (n) => {
      const folder = await openFolder({ withDocument: act === 'delete' })
      const step = await run(folder, act, deaths.length + n)
      const after = await startAgain(folder, sweeps)
      rmSync(folder.dataDir, { recursive: true })
      return { step, ...after }
    })
    for (const death of await Promise.all(batch)) {
      deaths.push(death)
      if (death.step === 'survived') return deaths
    }
  }
}
