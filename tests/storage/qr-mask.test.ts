import QRCode from 'qrcode'
import { expect, test } from 'vitest'
import { makeQrId } from '#domain/codes/qr-id.ts'
import { createRandom } from '#scripts/_sample-random.ts'
import { qrMatrix } from '#storage/qr-image.ts'
import { maskChanges, withBestMask } from '#storage/qr-mask.ts'

const ORIGINS = [
  'http://k.in',
  'https://keys.example.in',
  'http://localhost:3000',
  'https://lost-and-found.keys.fleet.a-rather-long-name.example.co.in',
]
const LEVELS = ['M', 'Q'] as const

const { bytes } = createRandom(1)
const addresses = ORIGINS.flatMap((origin) =>
  Array.from({ length: 60 }, () => `${origin}/scan/${makeQrId(bytes)}`),
)

test.each(LEVELS)(
  'the mask is the one that the library finds best (%s)',
  (errorCorrectionLevel) => {
    for (const text of addresses) {
      const { modules } = QRCode.create(text, { errorCorrectionLevel })
      const draw = (maskPattern: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7) =>
        QRCode.create(text, { errorCorrectionLevel, maskPattern }).modules.data
      expect(withBestMask(draw(0), maskChanges(draw), modules.size)).toEqual(modules.data)
    }
  },
)

test.each(LEVELS)('no symbol is larger than the library would make it (%s)', (errorCorrection) => {
  for (const text of [...addresses, 'upi://pay?pa=driveqr@upi&am=999', 'DRIVEQR', 'चाबी']) {
    const { modules } = QRCode.create(text, { errorCorrectionLevel: errorCorrection })
    expect(qrMatrix(text, { errorCorrection }).size).toBe(modules.size)
  }
})
