import type { PeopleView, PersonRow } from '#components/people/people-page.tsx'
import { listHelp } from '#db/people/help.ts'
import { type ListedShare, listHelping, listPeople } from '#db/people/people.ts'
import type { ScopeCode } from '#db/people/scopes.ts'
import { accountNow } from '#db/plans/plan-now.ts'
import { describeAct } from '#domain/admin/act.ts'
import { formatPlate } from '#domain/codes/plate.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { ROLE_NAMES } from '#domain/people/roles.ts'
import { formatDate, formatDateTime } from '#domain/time.ts'
import { englishText } from '#locales/refusal.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'

/** Returns how people name a code. */
export function codeName(code: ScopeCode): string {
  const { vehicle_make_model: vehicle, vehicle_registration: plate } = code
  return [vehicle, plate && formatPlate(plate)].filter(Boolean).join(' ') || formatQrId(code.qr_id)
}

function codesOf({ qr_id, company_fleet_name, ...vehicle }: ListedShare): string {
  if (qr_id) return codeName({ qr_id, ...vehicle })
  return company_fleet_name ? `codes of ${company_fleet_name}` : 'all QR codes'
}

/** Reads the people of the account, its invitations, and the owners it helps. */
export async function readPeople(c: AppContext) {
  const { db, clock } = c.var.deps
  const account = requireAccount(c)
  const own = await listPeople(db, accountNow(account, clock()), clock())
  const used = own.people.length + own.invitations.length
  return { ...own, used, helping: await listHelping(db, account.id) }
}
/** The people, invitations and helped owners of an account. */
export type Lists = Awaited<ReturnType<typeof readPeople>>

/** Returns why nobody more can be invited; undefined below the limit of the plan. */
export function refusalWhenFull({ used, limit }: Lists): string | undefined {
  if (used < limit) return undefined
  return englishText({ code: 'plan_limit.people', values: { count: used, limit } })
}

/** Describes the lists for the page. */
export async function toPeopleView(c: AppContext, lists: Lists): Promise<PeopleView> {
  const { db, config } = c.var.deps
  const { people, invitations, helping, used, limit } = lists
  const toRow = (share: ListedShare, name: string, end: string): PersonRow => {
    return { id: share.id, name, about: [ROLE_NAMES[share.role], codesOf(share), end].join(' · ') }
  }
  const since = ({ created_at }: ListedShare) => `since ${formatDate(created_at, config.timezone)}`
  const acts = await listHelp(db, requireAccount(c).id)
  return {
    people: people.map((each) => {
      const end = each.is_asleep ? 'asleep until your plan allows more people' : since(each)
      return toRow(each, nameOf(each), end)
    }),
    invitations: invitations.map((each) => {
      const until = formatDate(each.expires_at, config.timezone)
      return toRow(each, each.email, `the link works until ${until}`)
    }),
    helping: helping.map((each) => toRow(each, nameOf(each), since(each))),
    acts: acts.map(({ id, actor, qr_id, happened_at, subject_type, ...recorded }) => {
      const who = actor ?? 'Somebody with a deleted account'
      // An act on one code is not about several.
      const isOne = subject_type === 'qr_code'
      const action = isOne ? recorded.action.replace(/^qr\./, 'qr_code.') : recorded.action
      const act = { action, actor: who, about: null, before: null, after: null }
      const about = [who, qr_id && formatQrId(qr_id), formatDateTime(happened_at, config.timezone)]
      const text = describeAct(act, config.timezone).title
      return { id, text, about: about.filter(Boolean).join(' · ') }
    }),
    count: Number.isFinite(limit) ? `${used} of ${limit}` : undefined,
    full: refusalWhenFull(lists),
  }
}

/** Returns the name of the other side of a share. */
export function nameOf({ name, email }: ListedShare): string {
  return name || email || ''
}
