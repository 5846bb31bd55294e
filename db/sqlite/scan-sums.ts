import type Sqlite from 'better-sqlite3'
import { quarterOf } from '#db/scans/scan-sums.ts'
import type { Scan } from '#db/schema.ts'

type OwnedScan = Pick<Scan, 'scanned_at'> & { owner_id: string }

/**
 * Prepares the statements that add scans to the sums of the installation and of the codes' owners.
 * Run them in the transaction that inserts the scans. When a code is deleted or moved, triggers
 * change the owner's sums, so that no verb can forget it.
 */
export function prepareScanSums(connection: Sqlite.Database) {
  const findOwner = connection
    .prepare<[string], string>('select owner_id from qr_codes where qr_id = ?')
    .pluck()
  const addToAll = connection.prepare(`
    insert into scan_quarters (quarter, scans) values (?, ?)
    on conflict (quarter) do update set scans = scans + excluded.scans`)
  const addToOwner = connection.prepare(`
    insert into owner_scans (owner_id, quarter, scans) values (?, ?, ?)
    on conflict (owner_id, quarter) do update set scans = scans + excluded.scans`)
  return {
    /** The owner of a code; undefined when the code does not exist. */
    ownerOf: (qrId: string): string | undefined => findOwner.get(qrId),
    add(scans: OwnedScan[]): void {
      const ofAll = new Map<string, number>()
      const ofOwners = new Map<string, { ownerId: string; quarter: string; count: number }>()
      for (const { owner_id: ownerId, scanned_at } of scans) {
        const quarter = quarterOf(scanned_at)
        ofAll.set(quarter, (ofAll.get(quarter) ?? 0) + 1)
        const sum = ofOwners.get(ownerId + quarter)
        if (sum) sum.count++
        else ofOwners.set(ownerId + quarter, { ownerId, quarter, count: 1 })
      }
      for (const [quarter, count] of ofAll) addToAll.run(quarter, count)
      for (const { ownerId, quarter, count } of ofOwners.values()) {
        addToOwner.run(ownerId, quarter, count)
      }
    },
  }
}
