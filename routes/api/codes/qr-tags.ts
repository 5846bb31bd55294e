import { z } from '@hono/zod-openapi'
import { resolveBrandOf, toQrView } from '#actions/codes/view.ts'
import { renewActivationCode } from '#db/codes/activation.ts'
import { replaceQrCode } from '#db/codes/replacing.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { actsFor } from '#domain/people/share.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { limitSuccesses } from '#routes/_http/rate-limits.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { ownerCalls } from '#routes/api/_call.ts'
import { answer } from '#routes/api/_payloads.ts'
import { activationCode, qrCode } from '#routes/api/codes/_qr-schema.ts'

const ownerCall = ownerCalls('QR codes')
const claimCall = ownerCalls('Claims and child users')

const replace = ownerCall('replaceQrCode', 'Give a code a new id, when its tag is lost for good', {
  post: '/{qr_id}/replace',
  makes: true,
  200: answer('The whole code, with its new id', qrCode),
  problems: [409],
})

const renew = claimCall('renewActivationCode', 'Make a new activation code for an unclaimed code', {
  post: '/{qr_id}/activation',
  makes: true,
  secrets: ['activation_code'],
  200: answer(
    'An earlier one no longer works',
    z.object({ qr_id: z.string(), activation_code: activationCode }),
  ),
  problems: [409],
})

/** Replaces and activates the printed tags of codes. */
export const qrTags = apiRouter()
  .openapi(replace, async (c) => {
    const qrId = requireQrId(c.req.valid('param').qr_id)
    const { deps } = c.var
    const account = requireAccount(c)
    const code = await limitSuccesses(c, 'replace', () =>
      replaceQrCode(deps.db, account, qrId, deps.clock()),
    )
    return c.json(toQrView(await resolveBrandOf(deps, actsFor(account, code)), code), 200)
  })
  .openapi(renew, async (c) => {
    const { db, secretKey, clock } = c.var.deps
    const qrId = requireQrId(c.req.valid('param').qr_id)
    const by = { secretKey, now: clock() }
    return c.json(await renewActivationCode(db, requireAccount(c), qrId, by), 200)
  })
