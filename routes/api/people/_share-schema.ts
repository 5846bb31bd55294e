import { z } from '@hono/zod-openapi'
import { fromFlag } from '#db/cast.ts'
import type { OpenInvitation } from '#db/people/invitations.ts'
import type { ListedInvitation, ListedPerson, ListedShare } from '#db/people/people.ts'
import { SHARE_ROLES } from '#domain/people/roles.ts'
import { nameScope } from '#domain/people/share.ts'

const scope = z
  .union([
    z.literal('all'),
    z.object({ company_fleet_name: z.string() }),
    z.object({ qr_id: z.string() }),
  ])
  .openapi('ShareScope')
const share = { id: z.string(), role: z.enum(SHARE_ROLES), scope }
const since = z.iso.datetime().openapi({ description: 'when it was accepted' })
const nullable = z.string().nullable()

export const people = z.object({
  people: z.array(
    z
      .object({
        ...share,
        name: z.string(),
        email: nullable,
        since,
        is_asleep: z.boolean().openapi({ description: 'above the number of people of the plan' }),
      })
      .openapi('Person'),
  ),
  helping: z.array(z.object({ ...share, owner_name: z.string(), since }).openapi('HelpedOwner')),
  invitations: z.array(
    z
      .object({
        ...share,
        email: z.string(),
        expires_at: z.iso.datetime(),
        was_mailed: z.boolean().openapi({ description: 'a mailed link verifies the address' }),
      })
      .openapi('PersonInvitation'),
  ),
})

const shareOf = ({ id, role, ...codes }: ListedShare) => ({ id, role, scope: nameScope(codes) })

export function toPeople(
  listed: { people: ListedPerson[]; invitations: ListedInvitation[] },
  helping: ListedShare[],
): z.output<typeof people> {
  return {
    people: listed.people.map(({ name, email, is_asleep, ...each }) => ({
      ...shareOf({ name, email, ...each }),
      name: name ?? '',
      email,
      since: each.created_at,
      is_asleep,
    })),
    helping: helping.map((each) => ({
      ...shareOf(each),
      owner_name: each.name ?? '',
      since: each.created_at,
    })),
    invitations: listed.invitations.map((each) => ({
      ...shareOf(each),
      email: each.email,
      expires_at: each.expires_at,
      was_mailed: fromFlag(each.was_mailed),
    })),
  }
}

export const offered = z
  .object({
    owner_name: z.string(),
    email: z.string().openapi({ description: 'the invited address' }),
    role: z.enum(SHARE_ROLES),
    scope,
    vehicle_registration: nullable,
    vehicle_make_model: nullable,
    expires_at: z.iso.datetime(),
  })
  .openapi('OfferedShare')

export function toOffered(invitation: OpenInvitation): z.output<typeof offered> {
  const { owner_name, email, role, vehicle_registration, vehicle_make_model, expires_at } =
    invitation
  const vehicle = { vehicle_registration, vehicle_make_model }
  return { owner_name, email, role, scope: nameScope(invitation), ...vehicle, expires_at }
}
