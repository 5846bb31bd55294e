import { type ScanAddress, scanUrl } from '#actions/codes/view.ts'
import type { ModuleCounts } from '#domain/codes/label-look.ts'
import { qrMatrix } from '#formats/qr-image.ts'

const ANY_ID = '000000000000'

/** The module counts of all codes of this installation, whose URLs have the same length. */
export function moduleCounts(address: ScanAddress): ModuleCounts {
  const url = scanUrl(address, ANY_ID)
  const count = (errorCorrection: 'M' | 'Q') => qrMatrix(url, { errorCorrection }).size
  return { M: count('M'), Q: count('Q') }
}
