import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Ack } from '#lab/drills/_acts.ts'
import { ask } from '#tests/support/postgres.ts'

export type Audit = { lost: Ack[]; damage: string[] }

/** The content of a stored file; undefined when it is missing. */
export type ContentOf = (name: string) => Uint8Array | undefined

// A sweep forgets when old scans were, as those of a clock that was behind, but not how many.
const SCANS = `
  select qr_id, earlier_scans + (select count(*) from scans where scans.qr_id = qr_codes.qr_id)
  from qr_codes`
const MESSAGES = 'select qr_id, public_message from qr_codes'
const DOCUMENTS = 'select id, stored_name from documents'
const EXCESS = `
  select (select count(*) from scans) + (select coalesce(sum(earlier_scans), 0) from qr_codes)
    - (select coalesce(sum(scans), 0) from scan_quarters) as excess`

/** By the id of a code or document. */
type Kept = Record<'scans' | 'messages' | 'documents', Map<unknown, unknown>> & { excess: number }

/** Finds acknowledged acts that a data folder does not contain, and damage. */
export function audit(dataDir: string, acks: Ack[]): Audit {
  const database = new Sqlite(join(dataDir, 'driveqr.db'))
  const read = (sql: string) => toMap(database.prepare(sql).raw().all())
  try {
    const kept = {
      scans: read(SCANS),
      messages: read(MESSAGES),
      documents: read(DOCUMENTS),
      excess: Number(database.prepare(EXCESS).pluck().get()),
    }
    const { lost, damage } = compare(kept, acks, filesOf(dataDir))
    return { lost, damage: [...findDamage(database), ...damage] }
  } finally {
    database.close()
  }
}

/** The same for a database on PostgreSQL, whose files may be elsewhere. */
export async function auditPostgres(url: string, acks: Ack[], contentOf: ContentOf) {
  const read = async (sql: string) =>
    toMap((await ask(url, sql)).map((row) => Object.values(row as object)))
  const [sums] = (await ask(url, EXCESS)) as [{ excess: string }]
  const kept = {
    scans: await read(SCANS),
    messages: await read(MESSAGES),
    documents: await read(DOCUMENTS),
    excess: Number(sums.excess),
  }
  return compare(kept, acks, contentOf)
}

/** The stored files of a data folder. */
export function filesOf(dataDir: string): ContentOf {
  return (name) => {
    const path = join(dataDir, 'files', basename(name))
    return existsSync(path) ? readFileSync(path) : undefined
  }
}

function compare(kept: Kept, acks: Ack[], contentOf: ContentOf): Audit {
  const { scans, messages, documents, excess } = kept
  const lost = acks.filter((ack) => {
    if (ack.kind === 'code') return !messages.has(ack.qr_id)
    // Each client edits its own code, with rising numbers.
    if (ack.kind === 'edit') return Number(messages.get(ack.qr_id) ?? 0) < ack.n
    if (ack.kind === 'upload') {
      return hashOf(contentOf(String(documents.get(ack.id)))) !== ack.sha256
    }
    const left = Number(scans.get(ack.qr_id) ?? 0)
    scans.set(ack.qr_id, left - 1)
    return left < 1
  })
  const missing = [...documents.values()].map(String).filter((name) => !contentOf(name))
  return {
    lost,
    damage: [
      ...(excess === 0 ? [] : [`the sums of scans are off by ${excess}`]),
      ...(missing.length > 0
        ? [`${missing.length} rows without their file, as ${missing[0]}`]
        : []),
    ],
  }
}

function findDamage(database: Sqlite.Database): string[] {
  const integrity = String(database.pragma('integrity_check(1)', { simple: true }))
  const broken = database.prepare('pragma foreign_key_check').all()
  return [
    ...(integrity === 'ok' ? [] : [integrity]),
    ...(broken.length === 0 ? [] : [`${broken.length} broken references`]),
  ]
}

function toMap(rows: unknown[]): Map<unknown, unknown> {
  return new Map(rows as [unknown, unknown][])
}

function hashOf(content: Uint8Array | undefined): string | undefined {
  return content && createHash('sha256').update(content).digest('hex')
}
