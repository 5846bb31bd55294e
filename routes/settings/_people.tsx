import type { PeopleView, PersonRow } from '#components/people/people-page.tsx'
import { EndForm, ShareForm } from '#components/people/share-form.tsx'
import { listHelp } from '#db/people/help.ts'
import { type ListedShare, listHelping, listPeople } from '#db/people/people.ts'
import { listScopes } from '#db/people/scopes.ts'
import { accountNow } from '#db/plans/plan-now.ts'
import { INVITATION_DAYS } from '#domain/accounts/invitation.ts'
import { describeAct } from '#domain/admin/act.ts'
import { formatPlate } from '#domain/codes/plate.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { nameScope } from '#domain/people/share.ts'
import { formatDate, formatDateTime } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'
import type { Form } from '#routes/_http/forms.ts'
import { requireAccount } from '#routes/_http/guards.ts'

/** Returns the scope of a share as the value of its field: `all`, or its JSON. */
function writeScope(share: Parameters<typeof nameScope>[0]): string {
  const scope = nameScope(share)
  return scope === 'all' ? scope : JSON.stringify(scope)
}

/** Returns the fields of a form as the call has them. */
export function withScope(form: Form) {
  try {
    return { ...form, scope: form.scope === 'all' ? 'all' : JSON.parse(String(form.scope)) }
  } catch {
    return form
  }
}

type Code = Omit<Parameters<typeof nameScope>[0], 'company_fleet_name'> &
  Pick<ListedShare, 'vehicle_registration' | 'vehicle_make_model'>

function codeName({ qr_id, vehicle_make_model, vehicle_registration: plate }: Code): string {
  return vehicle_make_model ?? (plate ? formatPlate(plate) : formatQrId(qr_id ?? ''))
}

function codesOf(share: ListedShare): string {
  if (share.qr_id) return codeName(share)
  return share.company_fleet_name ? `codes of ${share.company_fleet_name}` : 'all codes'
}

async function listOwn(c: AppContext) {
  const { db, clock } = c.var.deps
  return listPeople(db, accountNow(requireAccount(c), clock()), clock())
}

/** Reads the rows of the page. */
export async function readPeople(c: AppContext): Promise<PeopleView> {
  const { db, config } = c.var.deps
  const { id } = requireAccount(c)
  const { people, invitations, limit } = await listOwn(c)
  const toRow = (share: ListedShare, name: string, end: string): PersonRow => {
    const role = share.role.charAt(0).toUpperCase() + share.role.slice(1)
    return { id: share.id, name, about: [role, codesOf(share), end].join(' · ') }
  }
  const since = ({ created_at }: ListedShare) => `since ${formatDate(created_at, config.timezone)}`
  const used = people.length + invitations.length
  return {
    people: people.map((each) => {
      const end = each.is_asleep ? 'asleep: above the number of your plan' : since(each)
      return toRow(each, `${each.name}${each.email ? ` (${each.email})` : ''}`, end)
    }),
    invitations: invitations.map((each) => {
      const until = formatDate(each.expires_at, config.timezone)
      return toRow(each, each.email, `the link works until ${until}`)
    }),
    helping: (await listHelping(db, id)).map((each) => toRow(each, each.name ?? '', since(each))),
    acts: (await listHelp(db, id)).map(({ actor, qr_id, happened_at, ...act }) => {
      const who = actor ?? 'Somebody who left'
      const { title } = describeAct(
        { ...act, actor: who, about: null, before: null, after: null },
        config.timezone,
      )
      const about = [who, qr_id && formatQrId(qr_id), formatDateTime(happened_at, config.timezone)]
      return { id: act.id, text: title, about: about.filter(Boolean).join(' · ') }
    }),
    count: Number.isFinite(limit) ? `${used} of ${limit}` : '',
  }
}

/** Returns the dialog that the address asks for, or the form that was refused. */
export async function peopleDialog(c: AppContext, typed?: Form & { message: string }) {
  const { invite, change, remove, leave, qr } = c.req.query()
  const { people } = await listOwn(c)
  const person = people.find(({ id }) => id === (c.req.param('id') ?? change ?? remove))
  if (remove && person) return <EndForm id={remove} name={person.name ?? ''} isOwner />
  if (leave) {
    const helping = await listHelping(c.var.deps.db, requireAccount(c).id)
    const owner = helping.find(({ id }) => id === leave)
    return owner && <EndForm id={leave} name={owner.name ?? ''} isOwner={false} />
  }
  if (!typed && !invite && !(change && person)) return undefined
  const shown = person ?? { role: 'member', company_fleet_name: null, qr_id: qr ?? null }
  return (
    <ShareForm
      person={person && { id: person.id, name: person.name ?? '' }}
      email={typed?.email}
      role={typed?.role ?? shown.role}
      scope={typed?.scope ?? writeScope(shown)}
      scopes={await scopesOf(c)}
      hint={
        c.var.deps.outbox.isOpen
          ? `We mail a link that works for ${INVITATION_DAYS} days.`
          : `You get a link to pass on. It works for ${INVITATION_DAYS} days.`
      }
      message={typed?.message}
    />
  )
}

async function scopesOf(c: AppContext) {
  const { companies, codes } = await listScopes(c.var.deps.db, requireAccount(c).id)
  return [
    { value: 'all', label: 'All my codes, new ones too' },
    ...companies.map((company_fleet_name) => ({
      value: writeScope({ company_fleet_name, qr_id: null }),
      label: `All codes of ${company_fleet_name}`,
    })),
    ...codes.map((code) => ({
      value: writeScope({ company_fleet_name: null, qr_id: code.qr_id }),
      label: `Only ${codeName(code)}`,
    })),
  ]
}
