import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Ack } from '#tests/drills/_acts.ts'

export type Audit = { lost: Ack[]; damage: string[] }

/** Finds acknowledged acts that a data folder does not contain, and damage. */
export function audit(dataDir: string, acks: Ack[]): Audit {
  const database = new Sqlite(join(dataDir, 'driveqr.db'))
  try {
    return { lost: findLost(database, dataDir, acks), damage: findDamage(database, dataDir) }
  } finally {
    database.close()
  }
}

function findLost(database: Sqlite.Database, dataDir: string, acks: Ack[]): Ack[] {
  const scans = pairs(database, 'select qr_id, count(*) from scans group by qr_id')
  const messages = pairs(database, 'select qr_id, public_message from qr_codes')
  const documents = pairs(database, 'select id, stored_name from documents')
  return acks.filter((ack) => {
    if (ack.kind === 'code') return !messages.has(ack.qr_id)
    // Each client edits its own code, with rising numbers.
    if (ack.kind === 'edit') return Number(messages.get(ack.qr_id) ?? 0) < ack.n
    if (ack.kind === 'upload') return hashOf(dataDir, documents.get(ack.id)) !== ack.sha256
    const left = Number(scans.get(ack.qr_id) ?? 0)
    scans.set(ack.qr_id, left - 1)
    return left < 1
  })
}

function findDamage(database: Sqlite.Database, dataDir: string): string[] {
  const integrity = String(database.pragma('integrity_check(1)', { simple: true }))
  const broken = database.prepare('pragma foreign_key_check').all()
  const sums = database
    .prepare(
      'select (select count(*) from scans) - (select coalesce(sum(scans), 0) from scan_quarters)',
    )
    .pluck()
    .get() as number
  const missing = [...pairs(database, 'select id, stored_name from documents').values()].filter(
    (name) => !existsSync(join(dataDir, 'files', String(name))),
  )
  return [
    ...(integrity === 'ok' ? [] : [integrity]),
    ...(broken.length === 0 ? [] : [`${broken.length} broken references`]),
    ...(sums === 0 ? [] : [`the sums of scans are off by ${sums}`]),
    ...missing.map((name) => `no file ${name}`),
  ]
}

function pairs(database: Sqlite.Database, sql: string): Map<unknown, unknown> {
  return new Map(database.prepare(sql).raw().all() as [unknown, unknown][])
}

function hashOf(dataDir: string, name: unknown): string | undefined {
  const path = join(dataDir, 'files', basename(String(name)))
  if (!existsSync(path)) return undefined
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
