import { Icon } from '#components/icons/icon.tsx'
import { tabAction } from '#domain/dashboard.ts'

export type ShareLinkView = {
  id: string
  name: string
  file_name: string
  /** the channel, and the recipient if known */
  sent: string
  /** the date as it is shown */
  until: string
}

/** The links of an account that still open a document, each of which can be ended. */
export function ShareLinks({ links }: { links: ShareLinkView[] }) {
  if (links.length === 0) return null
  return (
    <section className="stack gap-3" aria-labelledby="shared-links">
      <h2 className="text-lg" id="shared-links" tabIndex={-1}>
        Shared links
      </h2>
      <ul className="sheet stack">
        {links.map(({ id, name, file_name, sent, until }) => (
          <li key={id} className="row">
            <div className="stack gap-0">
              <b>{name}</b>
              <span className="small soft any-break">{`${file_name} · ${sent} · works until ${until}`}</span>
            </div>
            <form
              className="push"
              method="post"
              action={tabAction('gallery', `/shares/${id}/end`)}
              data-enhance
              data-failed="Failed to end the link"
            >
              <button className="btn btn-sm btn-quiet btn-red" type="submit">
                <Icon name="close" />
                End link
                <span className="vh">{` to ${name}, ${file_name}, ${sent}`}</span>
              </button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  )
}
