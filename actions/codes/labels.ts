import { scanUrl } from '#actions/codes/view.ts'
import type { ModuleCounts } from '#domain/codes/label-look.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { qrMatrix } from '#storage/qr-image.ts'

const ANY_ID = '000000000000'

/** How fine codes of this installation are: their addresses are all of one length. */
export function moduleCounts(c: AppContext): ModuleCounts {
  const url = scanUrl(c, ANY_ID)
  const count = (errorCorrection: 'M' | 'Q') => qrMatrix(url, { errorCorrection }).size
  return { M: count('M'), Q: count('Q') }
}
