import { z } from '@hono/zod-openapi'
import { deletePasskey } from '#actions/accounts/passkeys.ts'
import { listPasskeys, renamePasskey } from '#db/passkeys/passkeys.ts'
import { MOST_PASSKEYS } from '#domain/accounts/passkey.ts'
import { deviceOf } from '#routes/_http/accounts/device.ts'
import { newPasskey, passkeyName } from '#routes/_http/accounts/factor-forms.ts'
import { addOwnPasskey, askOwnNewPasskey } from '#routes/_http/accounts/factors.ts'
import { requireHolder, requireHoldersCaller } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { holderCall } from '#routes/api/accounts/_account-call.ts'

const passkey = z
  .object({
    id: z.string(),
    name: z.string(),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable(),
  })
  .openapi('Passkey')
const added = passkey.extend({
  recovery_codes: z.array(z.string()).openapi({
    description: 'with the first second factor of the account; each works once',
  }),
})
/** The input of the browser's function, in the format of @simplewebauthn. */
export const webauthnOptions = z.record(z.string(), z.unknown())

const list = holderCall('listPasskeys', 'List your passkeys', {
  get: '/',
  200: answer('Your passkeys, oldest first', z.array(passkey)),
})

const options = holderCall('getPasskeyOptions', 'Ask what a new passkey is made with', {
  post: '/options',
  200: answer('For `startRegistration`, for five minutes', webauthnOptions),
})

const add = holderCall('addPasskey', 'Add a passkey', {
  post: '/',
  makes: true,
  secrets: ['recovery_codes'],
  body: jsonBody(newPasskey, {
    name: 'Phone',
    id: 'AAAA',
    rawId: 'AAAA',
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
  }),
  201: answer(`The passkey; an account has at most ${MOST_PASSKEYS}`, added),
  problems: [409],
})

const rename = holderCall('renamePasskey', 'Give a passkey another name', {
  patch: '/{id}',
  body: jsonBody(passkeyName, { name: 'Phone' }),
  200: answer('Renamed', passkey),
})

const remove = holderCall('removePasskey', 'Remove a passkey', {
  delete: '/{id}',
  200: 'It signs nobody in any more',
})

/** The passkeys of an account. */
export const accountPasskeys = apiRouter()
  .openapi(list, async (c) => c.json(await listPasskeys(c.var.deps.db, requireHolder(c).id), 200))
  .openapi(options, async (c) => {
    return c.json({ ...(await askOwnNewPasskey(c)) }, 200)
  })
  .openapi(add, async (c) => {
    return c.json(await addOwnPasskey(c, c.req.valid('json')), 201)
  })
  .openapi(rename, async (c) => {
    const { id } = c.req.valid('param')
    const { name } = c.req.valid('json')
    return c.json(await renamePasskey(c.var.deps.db, requireHolder(c).id, id, name), 200)
  })
  .openapi(remove, async (c) => {
    const { id } = c.req.valid('param')
    await deletePasskey(c.var.deps, requireHoldersCaller(c), id, deviceOf(c))
    return c.json({ message: 'Passkey removed' }, 200)
  })
