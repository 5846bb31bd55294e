import { Note } from '#components/ui/note.tsx'

/** Offers the administration to whoever set up the server: the only account, on the machine of the server. */
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
