import { Note } from '#components/ui/note.tsx'
import { GUARDIAN_DAYS, guardianAction } from '#domain/families/guardian.ts'

export type WardView = { id: string; name: string; contact: string; qr_id_text: string }

/** Asks the owner of codes to confirm to be the guardian of those who are not of age. */
export function GuardianQuestion({ wards }: { wards: WardView[] }) {
  return (
    <section className="main main-notice" aria-label="Guardian">
      {wards.map(({ id, name, contact, qr_id_text }) => (
        <form key={id} className="stack gap-2" method="post" action={guardianAction(id)}>
          <Note tone="warn" title={`${name} waits for you. `}>
            {`They registered ${qr_id_text} with ${contact} and did not say to be 18 or older. `}
            Their account works once you confirm that you are their guardian and agree to the{' '}
            <a href="/privacy">privacy policy</a>. You do not know them? Do not answer: after{' '}
            {GUARDIAN_DAYS} days the registration is undone.
          </Note>
          <div className="row">
            <button className="btn btn-main any-break" type="submit">
              {`I am the guardian of ${name}`}
            </button>
          </div>
        </form>
      ))}
    </section>
  )
}
