import { EndForm, ShareForm } from '#components/people/share-form.tsx'
import { listScopes } from '#db/people/scopes.ts'
import { INVITATION_DAYS } from '#domain/accounts/invitation.ts'
import { parseQrId } from '#domain/codes/qr-id.ts'
import { nameScope } from '#domain/people/share.ts'
import type { AppContext } from '#routes/_http/context.ts'
import type { Form } from '#routes/_http/forms.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { codeName, type Lists, nameOf } from '#routes/settings/people/_people.ts'

type Codes = Parameters<typeof nameScope>[0]

/** Returns the scope of a share as the value of its field: `all`, or its JSON. */
function writeScope(codes: Codes): string {
  const scope = nameScope(codes)
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

/** Returns the dialog that the address asks for, or the form that was refused. */
export async function peopleDialog(
  c: AppContext,
  { people, helping }: Lists,
  typed?: Form & { message: string },
) {
  const { invite, change, remove, leave } = c.req.query()
  const { isOpen: isMailed } = c.var.deps.outbox
  const changed = c.req.param('id') ?? change
  const ending = (typed ? undefined : (remove ?? leave)) ?? ''
  const ended = (remove ? people : helping).find(({ id }) => id === ending)
  if (ended) {
    return <EndForm id={ending} name={nameOf(ended)} isOwner={!!remove} isMailed={isMailed} />
  }
  const person = people.find(({ id }) => id === changed)
  if (changed ? !person : !typed && !invite) return undefined
  const qr_id = parseQrId(invite ?? '') ?? null
  const shown = person ?? { role: 'member', company_fleet_name: null, qr_id }
  const codes = typed ? codesIn(typed) : shown
  return (
    <ShareForm
      person={person && { id: person.id, name: nameOf(person) }}
      email={typed?.email}
      role={typed?.role ?? shown.role}
      scope={writeScope(codes)}
      scopes={await scopesOf(c, codes)}
      hint={
        isMailed
          ? `We mail a link that works for ${INVITATION_DAYS} days.`
          : `You get a link to pass on. It works for ${INVITATION_DAYS} days.`
      }
      message={typed?.message}
    />
  )
}

/** Returns the codes that a refused form has chosen. */
function codesIn(typed: Form): Codes {
  const { company_fleet_name: company, qr_id } = Object(withScope(typed).scope)
  return {
    company_fleet_name: typeof company === 'string' ? company : null,
    qr_id: (typeof qr_id === 'string' && parseQrId(qr_id)) || null,
  }
}

/** Returns the choices of the field, the chosen one also where it is no longer the account's. */
async function scopesOf(c: AppContext, chosen: Codes) {
  const { company_fleet_name: company, qr_id } = chosen
  const { companies, codes } = await listScopes(c.var.deps.db, requireAccount(c).id, qr_id)
  const gone = { qr_id: qr_id ?? '', vehicle_registration: null, vehicle_make_model: null }
  const isGone = qr_id !== null && codes[0]?.qr_id !== qr_id
  return [
    { value: 'all', label: 'All my QR codes, new ones too' },
    ...[...new Set([...(company ? [company] : []), ...companies])].map((company_fleet_name) => ({
      value: writeScope({ company_fleet_name, qr_id: null }),
      label: `All codes of ${company_fleet_name}`,
    })),
    ...[...(isGone ? [gone] : []), ...codes].map((code) => ({
      value: writeScope({ company_fleet_name: null, qr_id: code.qr_id }),
      label: `Only ${codeName(code)}`,
    })),
  ]
}
