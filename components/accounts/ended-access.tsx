import { Note } from '#components/ui/note.tsx'
import { ENDED_ACCESS_ACTION } from '#domain/accounts/ended-access.ts'

export type EndedAccessView = {
  /** each time when something ended, the last one last; `at` as an instant, `date` as it is shown */
  ends: { at: string; date: string; sentences: string[] }[]
  /** false on a device that may not be the account holder's */
  canDismiss: boolean
}

/** Tells an account to which no mail went what ended with its earlier password. */
export function EndedAccess({ view: { ends, canDismiss } }: { view: EndedAccessView }) {
  return (
    <section className="main main-notice" aria-label="What has ended">
      {ends.map(({ at, date, sentences }) => (
        <Note key={at} tone="warn" title={`On ${date} all access to your account ended. `}>
          {sentences.join(' ')}
        </Note>
      ))}
      {canDismiss && (
        <form className="row" method="post" action={ENDED_ACCESS_ACTION}>
          <input type="hidden" name="until" value={ends.at(-1)?.at} />
          <button className="btn" type="submit">
            I have read it
          </button>
        </form>
      )}
    </section>
  )
}
