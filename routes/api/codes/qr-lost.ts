import { resolveBrandOf, toQrView } from '#actions/codes/view.ts'
import { setLostMode } from '#db/codes/lost-mode.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { actsFor } from '#domain/people/share.ts'
import { lostForm } from '#routes/_http/codes/forms.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { ownerCalls } from '#routes/api/_call.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { qrCode } from '#routes/api/codes/_qr-schema.ts'

const call = ownerCalls('QR codes')

const setLost = call('setLostMode', 'Mark a code as lost, or as found again', {
  put: '/{qr_id}/lost',
  body: jsonBody(lostForm, {
    lost: true,
    note: 'Three keys on a red strap',
    reward: 'A box of sweets',
  }),
  200: answer('The whole code', qrCode),
  problems: [409],
})

/** Loss & Found. */
export const qrLost = apiRouter().openapi(setLost, async (c) => {
  const { db, clock } = c.var.deps
  const account = requireAccount(c)
  const qrId = requireQrId(c.req.valid('param').qr_id)
  const code = await setLostMode(db, account, qrId, c.req.valid('json'), clock())
  return c.json(toQrView(await resolveBrandOf(c.var.deps, actsFor(account, code)), code), 200)
})
