import { AskDialog } from '#components/forms/ask-dialog.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { tabAction, tabHref } from '#domain/dashboard.ts'

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
            <a
              className="btn btn-sm btn-quiet btn-red push"
              href={tabHref('gallery', undefined, { unshare: id })}
              data-dialog="unshare"
              data-gone="Link not found"
            >
              <Icon name="close" />
              End link
              <span className="vh">{` to ${name}, ${file_name}, ${sent}`}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Asks before a link stops working for the people that have it. */
export function ShareLinkEnd({ link: { id, name, file_name, sent } }: { link: ShareLinkView }) {
  return (
    <AskDialog
      title="End this link?"
      keep="Keep link"
      act="End link"
      icon="close"
      action={tabAction('gallery', `/shares/${id}/end`)}
      failed="Failed to end the link"
    >
      <p className="any-break">
        <b>{name}</b>
        {`, ${file_name} · ${sent}`}
      </p>
      <p>Whoever has the link can open the document no more. You keep the document.</p>
    </AskDialog>
  )
}
