import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { insertAccount } from '#db/accounts.ts'
import { openDatabase } from '#db/client.ts'
import { insertDocument } from '#db/document-uploads.ts'
import { listStoredNames } from '#db/stored-files.ts'
import { openFileStore } from '#storage/files.ts'
import { insertCode } from '#tests/support/codes.ts'
import { filesIn } from '#tests/support/uploads.ts'

const AN_HOUR_MS = 60 * 60 * 1000
/** Each step is a process of its own. */
const SLOW = 60_000

async function openFolder({ withDocument = false } = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'driveqr-crash-'))
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
  const type = { document_type: 'insurance', document_side: null, is_public: false } as const
  const sent = { file_name: 'a.jpg', file_size: 7, content_type: 'image/jpeg' }
  return { ...type, ...sent, stored_name, thumbnail_name }
}

type Folder = Awaited<ReturnType<typeof openFolder>>

/** Resolves with the step that the process died before, or `survived`. */
function run({ dataDir, qr_id }: Folder, act: string, dieBefore: number): Promise<string> {
  const args = ['tests/support/file-writer.ts', dataDir, act, qr_id, String(dieBefore)]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, (error, stdout, stderr) =>
      error && error.signal !== 'SIGKILL' ? reject(new Error(stderr)) : resolve(stdout),
    )
  })
}

/** What a start does, more than an hour later; then what rows and files there are. */
async function startAgain({ dataDir }: Folder) {
  const { db, close } = await openDatabase(dataDir)
  const later = new Date(Date.now() + 2 * AN_HOUR_MS)
  const swept = await openFileStore(dataDir).sweep(() => listStoredNames(db), later)
  const rows = await listStoredNames(db)
  await close()
  return { swept, rows: rows.toSorted(), ...filesIn({ dataDir }) }
}

/** Dies before the first step, the second, and so on, until there is no further step. */
async function dieAtEachStep(act: 'upload' | 'delete') {
  const died: string[] = []
  for (;;) {
    const batch = [1, 2, 3].map(async (n) => {
      const folder = await openFolder({ withDocument: act === 'delete' })
      const step = await run(folder, act, died.length + n)
      const after = await startAgain(folder)
      rmSync(folder.dataDir, { recursive: true })
      return { step, ...after }
    })
    for (const { step, swept, rows, stored, incoming } of await Promise.all(batch)) {
      expect({ step, missing: swept.missing, incoming }).toEqual({
        step,
        missing: [],
        incoming: [],
      })
      expect([step, stored.toSorted()]).toEqual([step, rows])
      if (step === 'survived') return died
      died.push(step)
    }
  }
}

test('an upload that is killed at any step leaves a file with its row, or neither', {
  timeout: SLOW,
}, async () => {
  const died = await dieAtEachStep('upload')
  expect(died).toEqual(['open', 'write', 'sync', 'rename', 'sync', 'commit', 'rm'])
})

test('a deletion that is killed at any step leaves a file with its row, or neither', {
  timeout: SLOW,
}, async () => {
  const died = await dieAtEachStep('delete')
  expect(died).toEqual(['rm', 'rm'])
})

test('without the sweep a killed upload does leave a file', { timeout: SLOW }, async () => {
  const folder = await openFolder()
  expect(await run(folder, 'upload', 6)).toBe('commit')
  const { stored } = filesIn(folder)
  expect(stored).toHaveLength(1)
  const soon = new Date()
  const files = openFileStore(folder.dataDir)
  expect(await files.sweep(async () => [], soon)).toMatchObject({ orphans: [] })
  expect(filesIn(folder).stored).toEqual(stored)
  rmSync(folder.dataDir, { recursive: true })
})
