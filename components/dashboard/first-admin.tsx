import { Note } from '#components/ui/note.tsx'

/** Offers the only account of a server to become its admin. */
export function FirstAdmin() {
  return (
    <section className="main main-notice" aria-label="Admin">
      <form className="stack gap-2" method="post" action="/grant-admin">
        <input type="hidden" name="first" value="1" />
        <Note title="You are the first here. ">An admin sets up this server and its accounts.</Note>
        <div className="row">
          <button className="btn" type="submit">
            Make me the admin
          </button>
        </div>
      </form>
    </section>
  )
}
