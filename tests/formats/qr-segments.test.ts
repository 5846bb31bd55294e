import QRCode from 'qrcode'
import { expect, test } from 'vitest'
import { makeQrId } from '#domain/codes/qr-id.ts'
import { qrMatrix } from '#formats/qr-image.ts'
import { createRandom } from '#scripts/_sample-random.ts'

const ORIGINS = [
  'http://k.in',
  'https://keys.example.in',
  'http://localhost:3000',
  'https://lost-and-found.keys.fleet.a-rather-long-name.example.co.in',
]

const { bytes } = createRandom(1)
const addresses = ORIGINS.flatMap((origin) =>
  Array.from({ length: 15 }, () => `${origin}/scan/${makeQrId(bytes)}`),
)

test.each(['M', 'Q'] as const)(
  'a scan address becomes the symbol that the library makes of it (%s)',
  (errorCorrection) => {
    for (const text of addresses) {
      const { modules } = QRCode.create(text, { errorCorrectionLevel: errorCorrection })
      expect(qrMatrix(text, { errorCorrection })).toEqual({
        size: modules.size,
        modules: modules.data,
      })
    }
  },
)

test.each(['upi://pay?pa=driveqr@upi&am=999', 'DRIVEQR', 'चाबी'])(
  'the symbol of %s is no larger than the library would make it',
  (text) => {
    const { modules } = QRCode.create(text, { errorCorrectionLevel: 'Q' })
    expect(qrMatrix(text).size).toBe(modules.size)
  },
)
