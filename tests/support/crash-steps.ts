import { writeFileSync } from 'node:fs'
import { insertAccount } from '#db/accounts/accounts.ts'
import { createSessions } from '#db/accounts/sessions.ts'
import { secondsAfter } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import { insertDocument } from '#db/papers/document-uploads.ts'
import { hashToken } from '#db/secrets.ts'
import { listStoredNames } from '#db/stored-files.ts'
import { openFileStore } from '#storage/files.ts'
import { insertCode } from '#tests/support/codes.ts'
import { runMortal } from '#tests/support/mortal.ts'
import { makePlace, openPlace, type Place } from '#tests/support/shared-database.ts'
import { filesOn } from '#tests/support/storage.ts'

const AN_HOUR_MS = 60 * 60 * 1000

/** The token of the transfer in a folder. */
const TRANSFER_TOKEN = 'T'.repeat(43)

type Kept = { withDocument?: boolean; withTransfer?: boolean }

export async function openFolder({ withDocument = false, withTransfer = false }: Kept = {}) {
  const { place, remove } = await makePlace()
  const [dataDir] = place
  const { db, close } = await openPlace(place)
  const person = { name: 'Asha', email: 'asha@example.in', password_hash: null }
  const owner = { ...person, subscription_plan: 'enterprise' } as const
  const account = await insertAccount(db, owner, new Date())
  const { qr_id } = await insertCode(db, account.id)
  if (withDocument) await insertDocument(db, account, qr_id, await keepFiles(dataDir), new Date())
  if (withTransfer) await insertTransfer(db, account.id)
  await close()
  return { dataDir, place, remove, qr_id }
}

/** The code, with scans, is on its way to somebody who is signed in. */
async function insertTransfer(db: Db, from_account_id: string): Promise<void> {
  const now = new Date()
  const person = { name: 'Meenakshi', email: 'meenakshi@example.in', password_hash: null }
  const proven = { ...person, email_verified_at: now.toISOString() }
  const buyer = await insertAccount(db, proven, now)
  await createSessions(db, () => now).start(buyer)
  const { id, qr_id } = await db
    .selectFrom('qr_codes')
    .select(['id', 'qr_id'])
    .executeTakeFirstOrThrow()
  const [at, expires_at] = [now, secondsAfter(now, 3600)].map((each) => each.toISOString())
  const times = { created_at: at ?? '', expires_at: expires_at ?? '' }
  const parties = { code_id: id, from_account_id, email: person.email }
  await db
    .insertInto('transfers')
    .values({
      id: 't',
      ...parties,
      include_documents: 0,
      token_hash: hashToken(TRANSFER_TOKEN),
      ...times,
    })
    .execute()
  const scan = { qr_id, device: 'phone', referrer: 'direct' } as const
  await db
    .insertInto('scans')
    .values({ ...scan, n: 1, scanned_at: '2026-11-03T03:10:00.000Z' })
    .execute()
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
  return { ...type, ...sent, stored_name, thumbnail_name, pdf_problem: null }
}

type Folder = Awaited<ReturnType<typeof openFolder>>

/** Resolves with the step that the process died before, or `survived`. */
export function run({ place, qr_id }: Folder, act: string, dieBefore: number): Promise<string> {
  return runMortal('file-writer', [...place, act, qr_id, String(dieBefore), TRANSFER_TOKEN])
}

/** Sweeps as a start does, more than an hour later, then lists rows and files. */
export async function startAgain(place: Place, sweeps: boolean) {
  const [dataDir] = place
  const { db, close } = await openPlace(place)
  const later = new Date(Date.now() + 2 * AN_HOUR_MS)
  const files = openFileStore(dataDir)
  const swept = sweeps ? await files.sweep(() => listStoredNames(db), later) : undefined
  const rows = await listStoredNames(db)
  const codes = await db.selectFrom('qr_codes').selectAll().execute()
  const counts = await Promise.all(
    (['documents', 'transfers', 'scans', 'audit_events', 'outbox'] as const).map((table) =>
      db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow(),
    ),
  )
  await close()
  const { stored, incoming } = filesOn('folder', dataDir)
  return {
    missing: swept?.missing ?? [],
    rows: rows.toSorted(),
    stored: stored.toSorted(),
    incoming,
    /** of each code its holder and its earlier scans; how many documents, transfers, scans, acts and mails */
    owned: codes.map(({ owner_name, earlier_scans }) => ({ owner_name, earlier_scans })),
    counts: counts.map(({ n }) => n),
  }
}

/** The state that a start found after a process had died before this step. */
export type Death = Awaited<ReturnType<typeof startAgain>> & { step: string }

/** Dies before the first step, the second, and so on, until there is no further step. */
export async function dieAtEachStep(
  act: 'upload' | 'delete' | 'photo' | 'transfer' | 'import',
  { sweeps = true } = {},
): Promise<Death[]> {
  const deaths: Death[] = []
  for (;;) {
    const batch = [1, 2].map(async (n) => {
      const withTransfer = act === 'transfer'
      const folder = await openFolder({
        withDocument: withTransfer || act === 'delete',
        withTransfer,
      })
      const step = await run(folder, act, deaths.length + n)
      const after = await startAgain(folder.place, sweeps)
      await folder.remove()
      return { step, ...after }
    })
    for (const death of await Promise.all(batch)) {
      deaths.push(death)
      if (death.step === 'survived') return deaths
    }
  }
}
