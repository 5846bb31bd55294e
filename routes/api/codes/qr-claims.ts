import { z } from '@hono/zod-openapi'
import { resolveBrandOf, toQrView } from '#actions/codes/view.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import {
  claimForCaller,
  registerChildByForm,
  requestChildReset,
  undoClaimForIssuer,
} from '#routes/_http/codes/claims.ts'
import { childForm, claimForm, forgotForm } from '#routes/_http/codes/forms.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { ownerCalls, publicCalls } from '#routes/api/_call.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { qrCode } from '#routes/api/codes/_qr-schema.ts'

const publicCall = publicCalls('Claims and child users')
const ownerCall = ownerCalls('Claims and child users')

const success = z.object({ success: z.literal(true) })

const claimed = success.extend({
  qr_id: z.string(),
  take_url: z
    .string()
    .nullable()
    .openapi({ description: 'takes the code into an account later, once; null when signed in' }),
})

const claim = publicCall('claimQrCode', 'Claim an unclaimed code', {
  post: '/claim',
  body: jsonBody(claimForm, {
    qr_id: '7K3MQ9WD4XTP',
    owner_name: 'Asha Patil',
    contact_phone: '98765 43210',
  }),
  200: answer('Claimed', claimed),
  problems: [404, 409],
})

const undo = ownerCall('undoClaim', 'Undo the claim of one of your codes', {
  post: '/{qr_id}/undo-claim',
  200: answer('The code, unclaimed again', qrCode),
  problems: [409],
})

const registered = success.extend({
  login_id: z.string().optional().openapi({
    description: 'signs in, because another account typed the address and nobody has proven it',
  }),
})

const childRegister = publicCall('registerChild', 'Register a child code', {
  post: '/child-register',
  body: jsonBody(childForm, {
    qr_id: '7K3MQ9WD4XTP',
    name: 'Asha Patil',
    contact: 'asha@example.in',
    contact_type: 'email',
    password: 'correct horse',
  }),
  201: answer('The child user has an account', registered),
  problems: [404, 409],
})

const forgotPassword = publicCall(
  'requestPasswordReset',
  'Request a password reset from a code’s owner',
  {
    post: '/forgot-password',
    body: jsonBody(forgotForm, { qr_id: '7K3MQ9WD4XTP', contact: 'asha@example.in' }),
    200: answer('The same for every contact', success),
  },
)

/** Claiming and registering codes made by others. */
export const qrClaims = apiRouter()
  .openapi(claim, async (c) => {
    const made = await claimForCaller(c, c.req.valid('json'))
    return c.json({ success: true as const, ...made }, 200)
  })
  .openapi(undo, async (c) => {
    const qrId = requireQrId(c.req.valid('param').qr_id)
    const account = requireAccount(c)
    const code = await undoClaimForIssuer(c, account, qrId)
    return c.json(toQrView(await resolveBrandOf(c.var.deps, account.id), code), 200)
  })
  .openapi(childRegister, async (c) => {
    const { login_id } = await registerChildByForm(c, c.req.valid('json'))
    return c.json({ success: true as const, ...(login_id && { login_id }) }, 201)
  })
  .openapi(forgotPassword, async (c) => {
    await requestChildReset(c, c.req.valid('json'))
    return c.json({ success: true as const }, 200)
  })
