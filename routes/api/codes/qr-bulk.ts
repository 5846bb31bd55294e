import { z } from '@hono/zod-openapi'
import { actOnCodes } from '#actions/codes/selection.ts'
import { listCompanies } from '#db/codes/qr-codes.ts'
import { BULK_ACTIONS, BULK_MAX, readBulkAct } from '#domain/fleets/bulk.ts'
import { whoseField } from '#routes/_http/codes/files.ts'
import { loggedDeps } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import { apiRouter, mustBe, payload, text } from '#routes/_http/schema.ts'
import { refusing } from '#routes/_http/schema-refusals.ts'
import { ownerCalls } from '#routes/api/_call.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'

const call = ownerCalls('QR codes')

const bulkForm = payload({
  ids: z
    .array(z.string(), { error: mustBe('ids', 'a list of texts') })
    .max(BULK_MAX, refusing({ code: 'invalid.too_many_ids', values: { most: BULK_MAX } }))
    .optional()
    .openapi({ description: 'the qr_ids of codes' }),
  search: text('search').openapi({ description: 'all that a search of the list finds' }),
  company_fleet_name: text('company_fleet_name').openapi({ description: 'all of a company' }),
  shared: whoseField,
  all: z.literal(true, { error: mustBe('all', 'true') }).optional(),
  action: z.enum(BULK_ACTIONS, { error: mustBe('action', `one of ${BULK_ACTIONS.join(', ')}`) }),
  value: z
    .union([z.string(), z.number()], { error: mustBe('value', 'text or a number') })
    .nullish()
    .openapi({
      description: 'the company or fleet, the contact mode, or the number of codes to delete',
    }),
})

const bulk = call('changeQrCodes', 'Change or delete many codes at once', {
  post: '/bulk',
  body: jsonBody(bulkForm, {
    ids: ['7K3MQ9WD4XTP'],
    action: 'set_company_fleet_name',
    value: 'NeelRath Pune',
  }),
  200: answer('All of them', z.object({ changed: z.int() })),
  problems: [404, 409],
})

const companies = call('listCompanies', 'List the companies and fleets of your codes', {
  get: '/companies',
  200: answer(
    'By name, at most 200',
    z.object({
      companies: z.array(z.object({ company_fleet_name: z.string(), count: z.int() })),
    }),
  ),
})

/** Acts on many codes, and the companies by which a list is filtered. */
export const qrBulk = apiRouter()
  .openapi(bulk, async (c) => {
    limit(c, 'bulk')
    const { action, value, ...codes } = c.req.valid('json')
    const act = readBulkAct({ action, value })
    return c.json(await actOnCodes(loggedDeps(c), requireAccount(c), codes, act), 200)
  })
  .openapi(companies, async (c) => {
    return c.json({ companies: await listCompanies(c.var.deps.db, requireAccount(c)) }, 200)
  })
