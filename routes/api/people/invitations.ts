import { acceptHelp, declineHelp } from '#actions/people/people.ts'
import { LENGTHS } from '#domain/text.ts'
import { readPathToken } from '#routes/_http/errors.tsx'
import { requireCaller } from '#routes/_http/guards.ts'
import { joinByLink, readInvited } from '#routes/_http/people/people.ts'
import { apiRouter, payload, secret, text } from '#routes/_http/schema.ts'
import { openCalls } from '#routes/api/_call.ts'
import { answer, optionalBody } from '#routes/api/_payloads.ts'
import { offered, toOffered } from '#routes/api/people/_share-schema.ts'

const registration = payload({ name: text('name', LENGTHS.name), password: secret('password') })

const call = openCalls('People', [])

const look = call('getPersonInvitation', 'Look at an invitation to help', {
  get: '/{token}',
  200: answer('Nothing changes', offered),
})
const accept = call('acceptPersonInvitation', 'Accept an invitation to help', {
  post: '/{token}/accept',
  body: optionalBody(registration, { name: 'Meera Kulkarni', password: 'correct horse' }),
  200: 'You help with these codes; without a session an account of the invited address was made',
  problems: [402, 409],
})
const decline = call('declinePersonInvitation', 'Decline an invitation to help', {
  post: '/{token}/decline',
  200: 'The link no longer works',
})

/** An invitation to help, for the holder of its link. */
export const personInvitations = apiRouter()
  .openapi(look, async (c) => c.json(toOffered(await readInvited(c)), 200))
  .openapi(accept, async (c) => {
    await readInvited(c)
    if (c.var.session) await acceptHelp(c.var.deps, requireCaller(c), readPathToken(c))
    else await joinByLink(c, c.req.valid('json') ?? {})
    return c.json({ message: 'Accepted' }, 200)
  })
  .openapi(decline, async (c) => {
    await readInvited(c)
    await declineHelp(c.var.deps, readPathToken(c))
    return c.json({ message: 'Declined' }, 200)
  })
