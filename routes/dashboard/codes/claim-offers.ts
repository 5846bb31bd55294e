import { Hono } from 'hono'
import type { ClaimOfferView } from '#components/transfers/claim-offers.tsx'
import { answerOffers, listOffers } from '#db/codes/claim-offers.ts'
import type { Account } from '#db/schema.ts'
import { formatQrId, parseQrId } from '#domain/codes/qr-id.ts'
import { tabHref } from '#domain/dashboard.ts'
import { formatDate } from '#domain/time.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { readForm, redirectBack } from '#routes/_http/forms.ts'
import { requireCaller, signedIn } from '#routes/_http/guards.ts'
import type { Done } from '#routes/dashboard/_done.ts'

/** The account takes or refuses the ticked codes that were claimed with its address. */
export const claimOfferForm = new Hono<AppEnv>().use(signedIn).post('/', async (c) => {
  const { db, clock } = c.var.deps
  const { act, ...ticked } = (await readForm(c)).form
  const qrIds = Object.keys(ticked).flatMap((name) => parseQrId(name) ?? [])
  const isTaken = act === 'take'
  const isAnswer = isTaken || act === 'refuse'
  const count = isAnswer ? await answerOffers(db, requireCaller(c), { isTaken, qrIds }, clock()) : 0
  return redirectBack(c, tabHref('my-qrs'), { done: doneWith(count, isTaken) })
})

function doneWith(count: number, isTaken: boolean): Done | '' {
  if (count === 0) return ''
  if (isTaken) return count === 1 ? 'taken' : 'claims-taken'
  return count === 1 ? 'claim-refused' : 'claims-refused'
}

/** Returns the codes that were claimed with the address of an account. */
export async function readClaimOffers(
  { var: { deps } }: AppContext,
  { id }: Account,
): Promise<ClaimOfferView[]> {
  const { timezone } = deps.config
  const offers = await listOffers(deps.db, id)
  return offers.map(({ qr_id, owner_name, vehicle_registration, claimed_at }) => ({
    qr_id,
    qr_id_text: formatQrId(qr_id),
    about: [owner_name, vehicle_registration].filter(Boolean).join(', '),
    date: claimed_at ? formatDate(claimed_at, timezone) : '',
  }))
}
