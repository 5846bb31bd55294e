import { z } from '@hono/zod-openapi'
import { endHelp, showNewLink } from '#actions/people/people.ts'
import { listHelping, listPeople } from '#db/people/people.ts'
import { accountNow } from '#db/plans/plan-now.ts'
import { requireAccount, requireCaller } from '#routes/_http/guards.ts'
import {
  changeForCaller,
  inviteForCaller,
  personForm,
  shareForm,
} from '#routes/_http/people/people.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { sessionCalls } from '#routes/api/_call.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { people as listed, toPeople } from '#routes/api/people/_share-schema.ts'

const made = z
  .object({
    id: z.string(),
    email: z.string(),
    expires_at: z.iso.datetime(),
    url: z.string().nullable().openapi({ description: 'null: mailed' }),
  })
  .openapi('NewPersonInvitation')

const call = sessionCalls('People')

const list = call('listPeople', 'List the people who help you, and the owners you help', {
  get: '/',
  200: answer('The oldest first, and the open invitations', listed),
})
const invite = call('invitePerson', 'Invite an address to help with your codes', {
  post: '/',
  makes: true,
  secrets: ['url'],
  body: jsonBody(personForm, { email: 'meera@example.in', role: 'member', scope: 'all' }),
  201: answer('Mailed; without a mail server the link is in the answer, once', made),
  problems: [402, 404, 409],
})
const change = call('changePerson', 'Change the role or the codes of a person or an invitation', {
  patch: '/{id}',
  body: jsonBody(shareForm, { role: 'manager', scope: 'all' }),
  200: 'It counts from the next request',
})
const remove = call('removePerson', 'Remove a person, or cancel an invitation', {
  delete: '/{id}',
  200: 'It has ended',
})
const renew = call('renewPersonInvitation', 'Make a new link of an invitation', {
  post: '/{id}/link',
  200: answer('The former link no longer works, and this one verifies no address', made),
})

/** The people who help the caller. */
export const people = apiRouter()
  .openapi(list, async (c) => {
    const { db, clock } = c.var.deps
    const account = requireAccount(c)
    const own = await listPeople(db, accountNow(account, clock()), clock())
    return c.json(toPeople(own, await listHelping(db, account.id)), 200)
  })
  .openapi(invite, async (c) => c.json(await inviteForCaller(c, c.req.valid('json')), 201))
  .openapi(change, async (c) => {
    await changeForCaller(c, c.req.valid('param').id, c.req.valid('json'))
    return c.json({ message: 'Changed' }, 200)
  })
  .openapi(remove, async (c) => {
    await endHelp(c.var.deps, requireCaller(c), 'remove', c.req.valid('param').id)
    return c.json({ message: 'Removed' }, 200)
  })
  .openapi(renew, async (c) => {
    return c.json(await showNewLink(c.var.deps, requireCaller(c), c.req.valid('param').id), 200)
  })

const leave = call('leaveOwner', 'Help an owner no longer', {
  delete: '/{id}',
  200: 'You no longer see these codes',
})

/** Shares of other owners with the caller. */
export const sharedWithMe = apiRouter().openapi(leave, async (c) => {
  await endHelp(c.var.deps, requireCaller(c), 'leave', c.req.valid('param').id)
  return c.json({ message: 'Left' }, 200)
})
