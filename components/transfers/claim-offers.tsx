import { Note } from '#components/ui/note.tsx'
import { CLAIM_OFFERS_ACTION } from '#domain/codes/claim-offers.ts'
import { counted } from '#domain/number.ts'

export type ClaimOfferView = { qr_id: string; qr_id_text: string; about: string; date: string }

/** Offers codes that somebody claimed with the address of the account, which decides about each. */
export function ClaimOffers({ count, offers }: { count: number; offers: ClaimOfferView[] }) {
  const were = count === 1 ? 'was' : 'were'
  return (
    <section className="main main-notice" aria-label="Claims with your address">
      <form className="stack gap-2" method="post" action={CLAIM_OFFERS_ACTION}>
        <Note tone="warn" title={`${counted(count, 'code')} ${were} claimed with your address. `}>
          Yours? Take them into your account. Refuse the ones that you do not know.
        </Note>
        {offers.map(({ qr_id, qr_id_text, about, date }) => (
          <label className="tick" key={qr_id}>
            <input type="checkbox" name={qr_id} defaultChecked />{' '}
            <span className="any-break">
              <code>{qr_id_text}</code> {[about, date].filter(Boolean).join(', ')}
            </span>
          </label>
        ))}
        <div className="row">
          <button className="btn btn-main" type="submit" name="act" value="take">
            Take
          </button>
          <button className="btn" type="submit" name="act" value="refuse">
            Refuse
          </button>
        </div>
      </form>
    </section>
  )
}
