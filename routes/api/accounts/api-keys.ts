import { z } from '@hono/zod-openapi'
import { listApiKeys, revokeApiKey } from '#db/accounts/api-keys.ts'
import { MOST_KEYS, SCOPES } from '#domain/accounts/api-key.ts'
import { makeOwnKey, newApiKey } from '#routes/_http/accounts/api-keys.ts'
import { apiAccess, requireAccount } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { sessionCalls } from '#routes/api/_call.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'

const call = sessionCalls('API keys', apiAccess)

const apiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable().openapi({ description: 'to the hour' }),
    scopes: z
      .array(z.enum(SCOPES))
      .nullable()
      .openapi({ description: 'null for a key made without, which may all but messages' }),
  })
  .openapi('ApiKey')

const list = call('listApiKeys', 'List your keys', {
  get: '/',
  200: answer('Your keys, newest first', z.array(apiKey)),
})
const create = call('createApiKey', 'Create a key', {
  post: '/',
  makes: true,
  secrets: ['key'],
  body: jsonBody(newApiKey, { name: 'Stock program', scopes: ['codes:read', 'papers'] }),
  201: answer(
    `The key, shown only once; an account has at most ${MOST_KEYS}`,
    apiKey.extend({ key: z.string() }).openapi('NewApiKey'),
  ),
  problems: [409],
})
const revoke = call('revokeApiKey', 'Revoke a key', {
  delete: '/{id}',
  200: 'The key no longer works',
})

export const apiKeys = apiRouter()
  .openapi(list, async (c) => {
    return c.json(await listApiKeys(c.var.deps.db, requireAccount(c).id), 200)
  })
  .openapi(create, async (c) => {
    return c.json(await makeOwnKey(c, c.req.valid('json')), 201)
  })
  .openapi(revoke, async (c) => {
    await revokeApiKey(c.var.deps.db, requireAccount(c).id, c.req.valid('param').id)
    return c.json({ message: 'API key revoked' }, 200)
  })
