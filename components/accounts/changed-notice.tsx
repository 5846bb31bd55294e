import { Note } from '#components/ui/note.tsx'
import { NOTICE_ACTION } from '#domain/accounts/notice.ts'

/** Says after a login that the privacy notice has changed, until it was read. */
export function ChangedNotice({ version }: { version: string }) {
  return (
    <section className="main main-notice" aria-label="Privacy">
      <Note title="Our privacy policy has changed. ">
        <a href="/privacy">Read the privacy policy</a>
      </Note>
      <form className="row" method="post" action={NOTICE_ACTION}>
        <input type="hidden" name="version" value={version} />
        <button className="btn" type="submit">
          I have read it
        </button>
      </form>
    </section>
  )
}
