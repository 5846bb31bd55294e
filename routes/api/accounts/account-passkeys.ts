import { z } from '@hono/zod-openapi'
import { deletePasskey } from '#actions/accounts/passkeys.ts'
import { listPasskeys, renamePasskey } from '#db/passkeys/passkeys.ts'
import { MOST_PASSKEYS } from '#domain/accounts/passkey.ts'
import { deviceOf } from '#routes/_http/accounts/known-device.ts'
import { newPasskey, passkeyName } from '#routes/_http/accounts/passkey-forms.ts'
import { addOwnPasskey, askOwnNewPasskey } from '#routes/_http/accounts/passkeys.ts'
import { requireHolder, requireHoldersCaller } from '#routes/_http/guards.ts'
import { answer, apiRouter, jsonBody, message, problems } from '#routes/_http/schema.ts'
import { apiCall, idParams } from '#routes/api/_call.ts'
import { asAnyHolder } from '#routes/api/accounts/_as-holder.ts'

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
/** What the browser's own function takes, as @simplewebauthn writes it. */
export const webauthnOptions = z.record(z.string(), z.unknown())

const list = apiCall({
  ...asAnyHolder,
  operationId: 'listPasskeys',
  summary: 'List your passkeys',
  method: 'get',
  path: '/',
  responses: { 200: answer('Your passkeys, oldest first', z.array(passkey)) },
})

const options = apiCall({
  ...asAnyHolder,
  operationId: 'getPasskeyOptions',
  summary: 'Ask what a new passkey is made with',
  method: 'post',
  path: '/options',
  responses: { 200: answer('For `startRegistration`, for five minutes', webauthnOptions) },
})

const add = apiCall({
  ...asAnyHolder,
  operationId: 'addPasskey',
  summary: 'Add a passkey',
  method: 'post',
  path: '/',
  request: {
    body: jsonBody(newPasskey, {
      name: 'Phone',
      id: 'AAAA',
      rawId: 'AAAA',
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
    }),
  },
  responses: {
    201: answer(`The passkey; an account has at most ${MOST_PASSKEYS}`, added),
    ...problems(409),
  },
})

const rename = apiCall({
  ...asAnyHolder,
  operationId: 'renamePasskey',
  summary: 'Give a passkey another name',
  method: 'patch',
  path: '/{id}',
  request: { params: idParams, body: jsonBody(passkeyName, { name: 'Phone' }) },
  responses: { 200: answer('Renamed', passkey), ...problems(404) },
})

const remove = apiCall({
  ...asAnyHolder,
  operationId: 'removePasskey',
  summary: 'Remove a passkey',
  method: 'delete',
  path: '/{id}',
  request: { params: idParams },
  responses: { 200: answer('It signs nobody in any more', message), ...problems(404) },
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
