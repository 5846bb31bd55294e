import { z } from '@hono/zod-openapi'
import { answerOffers, listOffers } from '#db/codes/claim-offers.ts'
import { parseQrId } from '#domain/codes/qr-id.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireAccount, requireCaller } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { sessionCalls } from '#routes/api/_call.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'

const sessionCall = sessionCalls('Claims and child users')

const offered = z.object({
  codes: z.array(
    z.object({
      qr_id: z.string(),
      owner_name: z.string().nullable(),
      vehicle_registration: z.string().nullable(),
      claimed_at: z.iso.datetime().nullable(),
    }),
  ),
})

const chosen = z.object({ qr_ids: z.array(z.string()).max(50) })
const answered = z.object({
  answered: z.int().openapi({ description: 'codes that were offered until now' }),
})

const list = sessionCall('listClaimOffers', 'List the codes that were claimed with your address', {
  get: '/',
  200: answer('The newest 50, while your address is verified', offered),
})

const take = sessionCall('takeClaimedCodes', 'Take codes that were claimed with your address', {
  post: '/take',
  body: jsonBody(chosen, { qr_ids: ['7K3MQ9WD4XTP'] }),
  200: answer('They are yours', answered),
  problems: [409],
})

const refuse = sessionCall(
  'refuseClaimedCodes',
  'Refuse codes that were claimed with your address',
  {
    post: '/refuse',
    body: jsonBody(chosen, { qr_ids: ['7K3MQ9WD4XTP'] }),
    200: answer('They stay with their issuers', answered),
  },
)

/** Codes that wait for the owner of the address with which they were claimed. */
export const claimOffers = apiRouter()
  .openapi(list, async (c) => {
    return c.json({ codes: await listOffers(c.var.deps.db, requireAccount(c).id) }, 200)
  })
  .openapi(take, async (c) => {
    return c.json(await answerBy(c, true, c.req.valid('json').qr_ids), 200)
  })
  .openapi(refuse, async (c) => {
    return c.json(await answerBy(c, false, c.req.valid('json').qr_ids), 200)
  })

async function answerBy(c: AppContext, isTaken: boolean, typed: string[]) {
  const { db, clock } = c.var.deps
  const qrIds = typed.flatMap((each) => parseQrId(each) ?? [])
  return { answered: await answerOffers(db, requireCaller(c), { isTaken, qrIds }, clock()) }
}
