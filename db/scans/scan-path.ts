import type { AdminMessagesTable, Flag, PopupImagesTable, QrCode, Scan } from '#db/schema.ts'

/** A code with what its scan page needs to know beside the code's own fields. */
export type ScannedCode = QrCode & {
  popup_images: number
  admin_messages: number
  /** of the account of its child user, or of its owner */
  user_is_active: Flag | null
}
export type NewScan = Pick<Scan, 'qr_id' | 'device' | 'referrer'>

type ActiveImage = Pick<PopupImagesTable, 'id' | 'stored_name' | 'width' | 'height'>
type ActiveMessage = Pick<AdminMessagesTable, 'id' | 'title' | 'content'>
/** SQLite answers at once, in this thread. */
type Answer<T> = T | Promise<T>

/** What strangers' scans ask the database: statements of their own, without Kysely. */
export type ScanPath = {
  /** The code of a well-formed id, also when it is inactive. */
  find(qrId: string): Answer<ScannedCode | undefined>
  /** What stands before the contact page: the owner's active images, the active messages. */
  listPopup(code: ScannedCode): Answer<{ images: ActiveImage[]; messages: ActiveMessage[] }>
  /** Resolves when the scan is on the disk; rejects when it is not counted. */
  record(scan: NewScan): Promise<void>
  /** Writes what is waiting. */
  close(): Answer<void>
}

/** A finder is not kept waiting for longer than this while the database is busy or gone. */
export const LONGEST_BUSY_MS = 3_000

/** A scan that is not on the disk yet. */
export type WaitingScan = { scan: NewScan; resolve: () => void; reject: (error: unknown) => void }

/** Says of each scan of a committed batch whether it was counted. */
export function settleScans(batch: WaitingScan[], counted: boolean[]): void {
  batch.forEach(({ scan, resolve, reject }, i) => {
    if (counted[i]) resolve()
    else reject(new Error(`${scan.qr_id} is no longer there`))
  })
}
